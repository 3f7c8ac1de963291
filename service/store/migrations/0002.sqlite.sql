-- Grabs that are accepted and not yet judged; each is gone with its judgement.

CREATE TABLE grabs (
    "number" INTEGER PRIMARY KEY AUTOINCREMENT,
    "id" TEXT NOT NULL UNIQUE,
    "game" TEXT NOT NULL,
    "seat" INTEGER NOT NULL,
    "arrived" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "published_ms" INTEGER NOT NULL,
    "elapsed_ms" INTEGER NOT NULL,
    "rtt_ms" INTEGER NOT NULL,
    "move" BLOB NOT NULL
);
CREATE INDEX grabs_of_a_table ON grabs ("game", "number");
