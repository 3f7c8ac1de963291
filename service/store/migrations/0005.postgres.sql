-- A seat has the one token that its row names; whatever else was given for it is dead, by whichever process. A seat that
-- was freed does not come back.

CREATE INDEX tokens_of_a_seat ON kupa.tokens ("game", "seat") WHERE "kind" = 'seat' AND "revoked" IS NULL;

-- One batch: all lines and all side rows, or nothing, in one statement. The lock makes the order of the ids the order of
-- the commits, so that no reader of the log ever passes a gap that fills later; it is never held across a round trip.
-- Side rows come as JSON arrays, null where a batch has none; bytes in them as base64.
CREATE OR REPLACE FUNCTION kupa.commit_units(
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
        INSERT INTO kupa.seats AS s SELECT * FROM json_populate_recordset(NULL::kupa.seats, seat_rows)
            ON CONFLICT ("game", "seat", "since") DO UPDATE SET
                "owner" = excluded."owner", "player" = excluded."player", "token" = excluded."token",
                "bot" = excluded."bot", "until" = excluded."until"
            WHERE s."until" IS NULL;
        UPDATE kupa.tokens t
            SET "revoked" = to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
            FROM json_to_recordset(seat_rows) AS r("game" text, "seat" integer)
            WHERE t."kind" = 'seat' AND t."game" = r."game" AND t."seat" = r."seat" AND t."revoked" IS NULL
                AND NOT EXISTS (SELECT FROM kupa.seats s WHERE s."game" = r."game" AND s."seat" = r."seat"
                    AND s."until" IS NULL AND s."token" = t."id");
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
