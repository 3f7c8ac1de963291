-- The first schema on SQLite. Lines and snapshots are eventsourcing's own tables, byte for byte; the rest is ours.

CREATE TABLE stored_events (
    originator_id TEXT,
    originator_version INTEGER,
    topic TEXT,
    state BLOB,
    PRIMARY KEY (originator_id, originator_version)
);

CREATE TABLE stored_snapshots (
    originator_id TEXT,
    originator_version INTEGER,
    topic TEXT,
    state BLOB,
    PRIMARY KEY (originator_id, originator_version)
) WITHOUT ROWID;

CREATE TABLE idempotency (
    "caller" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "game" TEXT NOT NULL,
    "status" INTEGER NOT NULL,
    "first" INTEGER NOT NULL,
    "last" INTEGER NOT NULL,
    "at" TEXT NOT NULL,
    "extra" BLOB NOT NULL,
    "problem" BLOB,
    PRIMARY KEY ("caller", "key")
);
CREATE INDEX idempotency_oldest ON idempotency ("at");

CREATE TABLE tokens (
    "id" TEXT NOT NULL PRIMARY KEY,
    "kind" TEXT NOT NULL,
    "digest" TEXT NOT NULL,
    "owner" TEXT NOT NULL,
    "at" TEXT NOT NULL,
    "game" TEXT,
    "seat" INTEGER,
    "scopes" TEXT NOT NULL,
    "expires" TEXT,
    "revoked" TEXT
);
CREATE INDEX tokens_keys ON tokens ("at") WHERE "kind" = 'key';

CREATE TABLE players (
    "key" TEXT NOT NULL,
    "label" TEXT NOT NULL,
    "player" TEXT NOT NULL,
    PRIMARY KEY ("key", "label")
) WITHOUT ROWID;

CREATE TABLE seats (
    "game" TEXT NOT NULL,
    "seat" INTEGER NOT NULL,
    "owner" TEXT NOT NULL,
    "player" TEXT NOT NULL,
    "token" TEXT,
    "since" INTEGER NOT NULL,
    "bot" TEXT,
    "until" INTEGER,
    PRIMARY KEY ("game", "seat", "since")
) WITHOUT ROWID;
CREATE INDEX seats_owner ON seats ("owner") WHERE "until" IS NULL;

CREATE TABLE directory (
    "game" TEXT NOT NULL PRIMARY KEY,
    "kind" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "visibility" TEXT NOT NULL,
    "sandbox" INTEGER NOT NULL,
    "owner" TEXT NOT NULL,
    "name" TEXT,
    "invite" TEXT,
    "seats" INTEGER NOT NULL,
    "free" INTEGER NOT NULL,
    "version" INTEGER NOT NULL,
    "head" TEXT NOT NULL,
    "opened_at" TEXT NOT NULL,
    "at" TEXT NOT NULL,
    "due_at" TEXT,
    "bot_to_act" INTEGER NOT NULL
);
CREATE INDEX directory_newest ON directory ("opened_at", "game");
CREATE INDEX directory_status ON directory ("status", "opened_at", "game");
CREATE INDEX directory_owner ON directory ("owner");
CREATE INDEX directory_due ON directory ("due_at") WHERE "due_at" IS NOT NULL;
CREATE INDEX directory_bots ON directory ("game") WHERE "bot_to_act";

CREATE TABLE ledger (
    "game" TEXT NOT NULL,
    "seq" INTEGER NOT NULL,
    "index" INTEGER NOT NULL,
    "round" INTEGER NOT NULL,
    "payer" TEXT NOT NULL,
    "payee" TEXT NOT NULL,
    "amount" INTEGER NOT NULL CHECK ("amount" > 0),
    "code" TEXT NOT NULL,
    "clause" TEXT NOT NULL,
    "payer_balance" INTEGER NOT NULL,
    "payee_balance" INTEGER NOT NULL,
    "reverses_seq" INTEGER,
    "reverses_index" INTEGER,
    PRIMARY KEY ("game", "seq", "index")
) WITHOUT ROWID;
-- Each transfer can be reversed once, whatever the cause.
CREATE UNIQUE INDEX ledger_reversed ON ledger ("game", "reverses_seq", "reverses_index") WHERE "reverses_seq" IS NOT NULL;
CREATE TRIGGER ledger_never_updated BEFORE UPDATE ON ledger
BEGIN
    SELECT RAISE(ABORT, 'ledger rows are never changed');
END;
CREATE TRIGGER ledger_never_deleted BEFORE DELETE ON ledger
BEGIN
    SELECT RAISE(ABORT, 'ledger rows are never deleted');
END;

CREATE TABLE outbox (
    "id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "kind" TEXT NOT NULL,
    "game" TEXT,
    "body" BLOB NOT NULL
);
