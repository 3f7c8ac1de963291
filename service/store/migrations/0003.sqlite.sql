-- A ledger row says when; a seat says whether it was taken with the host's token; a player's seats are found by index.

ALTER TABLE ledger ADD COLUMN "at" TEXT NOT NULL DEFAULT '';
ALTER TABLE seats ADD COLUMN "host" INTEGER NOT NULL DEFAULT 0;
CREATE INDEX seats_player ON seats ("player");
