-- A ledger row says when; a seat says whether it was taken with the host's token; a player's seats are found by index.

ALTER TABLE kupa.ledger ADD COLUMN "at" text COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE kupa.seats ADD COLUMN "host" boolean NOT NULL DEFAULT false;
CREATE INDEX seats_player ON kupa.seats ("player");
