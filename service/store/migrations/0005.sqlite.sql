-- A seat has the one token that its row names; whatever else was given for it is dead, by whichever process.

CREATE INDEX tokens_of_a_seat ON tokens ("game", "seat") WHERE "kind" = 'seat' AND "revoked" IS NULL;
