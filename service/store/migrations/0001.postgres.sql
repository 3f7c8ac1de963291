-- The first schema on PostgreSQL. Lines and snapshots are eventsourcing's own tables, column for column; the rest is ours.

CREATE SCHEMA IF NOT EXISTS kupa;

CREATE TABLE kupa.schema_version (
    version integer PRIMARY KEY,
    at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE kupa.kupa_events (
    originator_id uuid NOT NULL,
    originator_version bigint NOT NULL,
    topic text,
    state bytea,
    notification_id bigserial,
    PRIMARY KEY (originator_id, originator_version)
);
CREATE UNIQUE INDEX kupa_events_notification_id_idx ON kupa.kupa_events (notification_id);

CREATE TABLE kupa.kupa_snapshots (
    originator_id uuid NOT NULL,
    originator_version bigint NOT NULL,
    topic text,
    state bytea,
    PRIMARY KEY (originator_id, originator_version)
);
CREATE TYPE kupa.stored_event_uuid AS (originator_id uuid, originator_version bigint, topic text, state bytea);

CREATE TABLE kupa.idempotency (
    "caller" text COLLATE "C" NOT NULL,
    "key" text COLLATE "C" NOT NULL,
    "fingerprint" text NOT NULL,
    "game" text NOT NULL,
    "status" integer NOT NULL,
    "first" bigint NOT NULL,
    "last" bigint NOT NULL,
    "at" text COLLATE "C" NOT NULL,
    "extra" bytea NOT NULL,
    "problem" bytea,
    PRIMARY KEY ("caller", "key")
);
CREATE INDEX idempotency_oldest ON kupa.idempotency ("at");

CREATE TABLE kupa.tokens (
    "id" text COLLATE "C" NOT NULL PRIMARY KEY,
    "kind" text NOT NULL,
    "digest" text NOT NULL,
    "owner" text NOT NULL,
    "at" text COLLATE "C" NOT NULL,
    "game" text,
    "seat" integer,
    "scopes" text NOT NULL,
    "expires" text COLLATE "C",
    "revoked" text COLLATE "C"
);
CREATE INDEX tokens_keys ON kupa.tokens ("at") WHERE "kind" = 'key';

CREATE TABLE kupa.players (
    "key" text COLLATE "C" NOT NULL,
    "label" text COLLATE "C" NOT NULL,
    "player" text NOT NULL,
    PRIMARY KEY ("key", "label")
);

CREATE TABLE kupa.seats (
    "game" text COLLATE "C" NOT NULL,
    "seat" integer NOT NULL,
    "owner" text NOT NULL,
    "player" text NOT NULL,
    "token" text,
    "since" bigint NOT NULL,
    "bot" text,
    "until" bigint,
    PRIMARY KEY ("game", "seat", "since")
);
CREATE INDEX seats_owner ON kupa.seats ("owner") WHERE "until" IS NULL;

-- Every move writes its table's row anew: room on the page, so that old versions are cleaned up where they lie.
CREATE TABLE kupa.directory (
    "game" text COLLATE "C" NOT NULL PRIMARY KEY,
    "kind" text NOT NULL,
    "status" text NOT NULL,
    "visibility" text NOT NULL,
    "sandbox" boolean NOT NULL,
    "owner" text NOT NULL,
    "name" text,
    "invite" text,
    "seats" integer NOT NULL,
    "free" integer NOT NULL,
    "version" bigint NOT NULL,
    "head" text NOT NULL,
    "opened_at" text COLLATE "C" NOT NULL,
    "at" text COLLATE "C" NOT NULL,
    "due_at" text COLLATE "C",
    "bot_to_act" boolean NOT NULL
) WITH (fillfactor = 70);
CREATE INDEX directory_newest ON kupa.directory ("opened_at", "game");
CREATE INDEX directory_status ON kupa.directory ("status", "opened_at", "game");
CREATE INDEX directory_owner ON kupa.directory ("owner");
CREATE INDEX directory_due ON kupa.directory ("due_at") WHERE "due_at" IS NOT NULL;
CREATE INDEX directory_bots ON kupa.directory ("game") WHERE "bot_to_act";

CREATE TABLE kupa.ledger (
    "game" text COLLATE "C" NOT NULL,
    "seq" bigint NOT NULL,
    "index" integer NOT NULL,
    "round" integer NOT NULL,
    "payer" text NOT NULL,
    "payee" text NOT NULL,
    "amount" bigint NOT NULL CHECK ("amount" > 0),
    "code" text NOT NULL,
    "clause" text NOT NULL,
    "payer_balance" bigint NOT NULL,
    "payee_balance" bigint NOT NULL,
    "reverses_seq" bigint,
    "reverses_index" integer,
    PRIMARY KEY ("game", "seq", "index")
);
-- Each transfer can be reversed once, whatever the cause.
CREATE UNIQUE INDEX ledger_reversed ON kupa.ledger ("game", "reverses_seq", "reverses_index")
    WHERE "reverses_seq" IS NOT NULL;
CREATE FUNCTION kupa.ledger_is_for_ever() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'ledger rows are never changed or deleted' USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER ledger_is_for_ever BEFORE UPDATE OR DELETE OR TRUNCATE ON kupa.ledger
    FOR EACH STATEMENT EXECUTE FUNCTION kupa.ledger_is_for_ever();

CREATE TABLE kupa.outbox (
    "id" bigserial PRIMARY KEY,
    "kind" text NOT NULL,
    "game" text,
    "body" bytea NOT NULL
);

-- One batch: all lines and all side rows, or nothing, in one statement. The lock makes the order of the ids the order of
-- the commits, so that no reader of the log ever passes a gap that fills later; it is never held across a round trip.
-- Side rows come as JSON arrays, null where a batch has none; bytes in them as base64.
CREATE FUNCTION kupa.commit_units(
    games uuid[], seqs bigint[], topics text[], states bytea[],
    idempotencies json, new_tokens json, revoked_tokens json, new_players json,
    seat_rows json, directory_rows json, ledger_rows json, outbox_rows json
) RETURNS SETOF bigint LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
    SET LOCAL lock_timeout = '2s';
    LOCK TABLE kupa.kupa_events IN EXCLUSIVE MODE;
    NOTIFY kupa_events;
    RETURN QUERY INSERT INTO kupa.kupa_events (originator_id, originator_version, topic, state)
        SELECT * FROM unnest(games, seqs, topics, states)
        RETURNING notification_id;
    IF idempotencies IS NOT NULL THEN
        INSERT INTO kupa.idempotency
            SELECT r."caller", r."key", r."fingerprint", r."game", r."status", r."first", r."last", r."at",
                   decode(r."extra", 'base64'), decode(r."problem", 'base64')
            FROM json_to_recordset(idempotencies) AS r(
                "caller" text, "key" text, "fingerprint" text, "game" text, "status" integer,
                "first" bigint, "last" bigint, "at" text, "extra" text, "problem" text);
    END IF;
    IF new_tokens IS NOT NULL THEN
        INSERT INTO kupa.tokens SELECT * FROM json_populate_recordset(NULL::kupa.tokens, new_tokens);
    END IF;
    IF revoked_tokens IS NOT NULL THEN
        UPDATE kupa.tokens t SET "revoked" = r."at"
            FROM json_to_recordset(revoked_tokens) AS r("at" text, "id" text)
            WHERE t."id" = r."id" AND t."revoked" IS NULL;
    END IF;
    IF new_players IS NOT NULL THEN
        -- The same player again is no news; another player for the same label is somebody who was faster.
        INSERT INTO kupa.players SELECT r.* FROM json_populate_recordset(NULL::kupa.players, new_players) r
            WHERE NOT EXISTS (SELECT FROM kupa.players p
                WHERE p."key" = r."key" AND p."label" = r."label" AND p."player" = r."player");
    END IF;
    IF seat_rows IS NOT NULL THEN
        INSERT INTO kupa.seats SELECT * FROM json_populate_recordset(NULL::kupa.seats, seat_rows)
            ON CONFLICT ("game", "seat", "since") DO UPDATE SET
                "owner" = excluded."owner", "player" = excluded."player", "token" = excluded."token",
                "bot" = excluded."bot", "until" = excluded."until";
    END IF;
    IF directory_rows IS NOT NULL THEN
        -- A row of an older version must not overwrite what a newer one said.
        INSERT INTO kupa.directory AS d SELECT * FROM json_populate_recordset(NULL::kupa.directory, directory_rows)
            ON CONFLICT ("game") DO UPDATE SET
                "kind" = excluded."kind", "status" = excluded."status", "visibility" = excluded."visibility",
                "sandbox" = excluded."sandbox", "owner" = excluded."owner", "name" = excluded."name",
                "invite" = excluded."invite", "seats" = excluded."seats", "free" = excluded."free",
                "version" = excluded."version", "head" = excluded."head", "opened_at" = excluded."opened_at",
                "at" = excluded."at", "due_at" = excluded."due_at", "bot_to_act" = excluded."bot_to_act"
            WHERE excluded."version" >= d."version";
    END IF;
    IF ledger_rows IS NOT NULL THEN
        INSERT INTO kupa.ledger SELECT * FROM json_populate_recordset(NULL::kupa.ledger, ledger_rows);
    END IF;
    IF outbox_rows IS NOT NULL THEN
        INSERT INTO kupa.outbox ("kind", "game", "body") SELECT r."kind", r."game", decode(r."body", 'base64')
            FROM json_to_recordset(outbox_rows) AS r("kind" text, "game" text, "body" text);
    END IF;
END $$;
