-- No grab outlives the play that it was made in. What an older release left behind is told of nowhere: it goes.

DELETE FROM grabs WHERE EXISTS (
    SELECT 1 FROM stored_events e
    WHERE e.originator_id = replace(grabs."game", '-', '') AND e.originator_version > grabs."version"
        AND e.topic IN ('table.round_ended', 'table.round_voided', 'table.ended', 'table.voided')
);
