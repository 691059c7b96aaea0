-- How many turns of a person are open, and what became of calls whose turn could not go on.

CREATE INDEX idx_turns_in_flight ON turns(profile_id)
    WHERE state IN ('running', 'awaiting_approval');

-- The caller's own open turns, also in conversations that they have left meanwhile.
CREATE FUNCTION fd.in_flight() RETURNS bigint
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    RETURN (SELECT count(*) FROM turns t WHERE t.profile_id = fd.profile()
        AND t.state IN ('running', 'awaiting_approval'));
END
$$;

-- Ends a turn that cannot go on; its position, or nothing when it is no longer ours. Writes that
-- were started and have no end are on record as unknown.
CREATE OR REPLACE FUNCTION fd.interrupt(turn uuid, held bigint, how text, at_time timestamptz, event text)
    RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    t turns%ROWTYPE;
BEGIN
    UPDATE turns SET state = 'interrupted', outcome = how::json, ended_at = at_time,
        lease_until = NULL, position = turns.position + 1
        WHERE turns.id = turn AND turns.epoch = held AND turns.state = 'running' RETURNING * INTO t;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    INSERT INTO audit_log (at, profile_id, scope_id, conversation_id, turn_id, call_id, tool,
            arguments_hash, outcome)
        SELECT at_time, t.profile_id, t.scope_id, t.conversation_id, t.id, s.call_id, s.tool, s.hash,
            'unknown'
        FROM (SELECT DISTINCT ON (j.event #>> '{data,call_id}') j.position,
                  j.event #>> '{data,call_id}' AS call_id, j.event #>> '{data,name}' AS tool,
                  encode(sha256(convert_to(j.event #>> '{data,arguments}', 'UTF8')), 'hex') AS hash
              FROM journal j WHERE j.turn_id = t.id AND j.event ->> 'event' = 'tool.started'
                  AND j.event #>> '{data,effect}' IN ('idempotent', 'at_most_once')
              ORDER BY j.event #>> '{data,call_id}', j.position) s
        WHERE NOT EXISTS (SELECT 1 FROM journal f WHERE f.turn_id = t.id
            AND f.event ->> 'event' = 'tool.finished' AND f.event #>> '{data,call_id}' = s.call_id)
        ORDER BY s.position;
    INSERT INTO journal (turn_id, position, conversation_id, scope_id, epoch, event)
        VALUES (t.id, t.position, t.conversation_id, t.scope_id, t.epoch, interrupt.event::json);
    RETURN t.position;
END
$$;

GRANT CREATE ON SCHEMA fd TO fd_keeper;
ALTER FUNCTION fd.in_flight() OWNER TO fd_keeper;
REVOKE CREATE ON SCHEMA fd FROM fd_keeper;
REVOKE ALL ON FUNCTION fd.in_flight() FROM PUBLIC;
DO $grants$
BEGIN
    EXECUTE format('GRANT EXECUTE ON FUNCTION fd.in_flight() TO %I, fd_keeper', fd.app_role());
END
$grants$;
