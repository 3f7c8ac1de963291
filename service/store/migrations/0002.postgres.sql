-- Grabs that are accepted and not yet judged; each is gone with its judgement.

CREATE TABLE kupa.grabs (
    "number" bigserial PRIMARY KEY,
    "id" text COLLATE "C" NOT NULL UNIQUE,
    "game" text COLLATE "C" NOT NULL,
    "seat" integer NOT NULL,
    "arrived" text COLLATE "C" NOT NULL,
    "version" bigint NOT NULL,
    "published_ms" bigint NOT NULL,
    "elapsed_ms" bigint NOT NULL,
    "rtt_ms" bigint NOT NULL,
    "move" bytea NOT NULL
);
CREATE INDEX grabs_of_a_table ON kupa.grabs ("game", "number");

-- A batch in which grabs come or go; under the same lock, so that they are numbered in the order of the commits.
CREATE FUNCTION kupa.commit_units(
    games uuid[], seqs bigint[], topics text[], states bytea[],
    idempotencies json, new_tokens json, revoked_tokens json, new_players json,
    seat_rows json, directory_rows json, ledger_rows json, outbox_rows json,
    new_grabs json, judged_grabs text[]
) RETURNS SETOF bigint LANGUAGE plpgsql AS $$
BEGIN
    RETURN QUERY SELECT * FROM kupa.commit_units(
        games, seqs, topics, states, idempotencies, new_tokens, revoked_tokens, new_players,
        seat_rows, directory_rows, ledger_rows, outbox_rows);
    IF new_grabs IS NOT NULL THEN
        INSERT INTO kupa.grabs
            ("id", "game", "seat", "arrived", "version", "published_ms", "elapsed_ms", "rtt_ms", "move")
            SELECT r."id", r."game", r."seat", r."arrived", r."version", r."published_ms", r."elapsed_ms", r."rtt_ms",
                   decode(r."move", 'base64')
            FROM json_to_recordset(new_grabs) AS r(
                "id" text, "game" text, "seat" integer, "arrived" text, "version" bigint,
                "published_ms" bigint, "elapsed_ms" bigint, "rtt_ms" bigint, "move" text);
    END IF;
    DELETE FROM kupa.grabs g WHERE g."id" = ANY(judged_grabs);
END $$;
