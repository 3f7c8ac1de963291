-- How far away seats are, and whose card is held (for grabs up to which version), as each process knows it of its own
-- sockets and requests; told to the other processes, and to nobody else. It is told again every other second, so it needs
-- no place in the write-ahead log, and may be empty after a crash. Rows are overwritten in their page.

CREATE UNLOGGED TABLE kupa.latencies (
    "game" text COLLATE "C" NOT NULL,
    "seat" integer NOT NULL,
    "process" text COLLATE "C" NOT NULL,
    "rtt_ms" bigint,
    "held" bigint,
    "at" text COLLATE "C" NOT NULL,
    PRIMARY KEY ("game", "seat", "process")
) WITH (fillfactor = 50);
