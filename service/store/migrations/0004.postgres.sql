-- No grab outlives the play that it was made in. What an older release left behind is told of nowhere: it goes.

DELETE FROM kupa.grabs g USING kupa.kupa_events e
    WHERE e.originator_id = g."game"::uuid AND e.originator_version > g."version"
        AND e.topic IN ('table.round_ended', 'table.round_voided', 'table.ended', 'table.voided');

-- A batch in which grabs come or go, or play ends. It is refused if a grab would lie undecided after the end of its play:
-- one that came while the end was being decided, or one that comes after it. The lock makes one of them the first.
CREATE OR REPLACE FUNCTION kupa.commit_units(
    games uuid[], seqs bigint[], topics text[], states bytea[],
    idempotencies json, new_tokens json, revoked_tokens json, new_players json,
    seat_rows json, directory_rows json, ledger_rows json, outbox_rows json,
    new_grabs json, judged_grabs text[]
) RETURNS SETOF bigint LANGUAGE plpgsql AS $$
DECLARE
    at_stake text[];
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
    SELECT array_agg(touched."game") INTO at_stake FROM (
        SELECT l.game::text AS "game" FROM unnest(games, topics) AS l(game, topic)
            WHERE l.topic IN ('table.round_ended', 'table.round_voided', 'table.ended', 'table.voided')
        UNION SELECT r."game" FROM json_to_recordset(COALESCE(new_grabs, '[]')) AS r("game" text)
    ) touched;
    IF EXISTS (
        SELECT FROM kupa.grabs g JOIN kupa.kupa_events e ON e.originator_id = g."game"::uuid
            WHERE g."game" = ANY(at_stake) AND e.originator_version > g."version"
                AND e.topic IN ('table.round_ended', 'table.round_voided', 'table.ended', 'table.voided')
    ) THEN
        RAISE EXCEPTION 'a grab would outlive its play' USING ERRCODE = 'integrity_constraint_violation';
    END IF;
END $$;
