-- How far away seats are, and whose card is held, told to other processes: SQLite has one, so it stays empty here.

CREATE TABLE latencies (
    "game" TEXT NOT NULL,
    "seat" INTEGER NOT NULL,
    "process" TEXT NOT NULL,
    "rtt_ms" INTEGER,
    "held" INTEGER,
    "at" TEXT NOT NULL,
    PRIMARY KEY ("game", "seat", "process")
) WITHOUT ROWID;
