-- Turns that ended long ago are told as one snapshot; leases are renewed together; who works late is
-- not replaced by itself.

ALTER TABLE turns ADD COLUMN folded boolean NOT NULL DEFAULT false;
CREATE INDEX idx_turns_to_fold ON turns(ended_at) WHERE ended_at IS NOT NULL AND NOT folded;

-- An event that can be taken apart: Postgres refuses to where there is an escaped NUL, which a model
-- may write into an argument.
CREATE FUNCTION fd.readable(event json) RETURNS json
    LANGUAGE sql IMMUTABLE SET search_path = public, pg_temp AS $$
    SELECT CASE WHEN strpos(event::text, '\u0000') = 0 THEN event
        ELSE regexp_replace(event::text, '(?<!\\)((?:\\\\)*)\\u0000', '\1\\ufffd', 'g')::json END
$$;

-- Puts one snapshot in the place of all events of turns that ended before a moment; how many turns
-- that were. The name of an event is read off its beginning, and what is kept stays as it is.
CREATE FUNCTION fd.fold(before timestamptz, most bigint) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    t record;
    said text;
    kept json;
    done bigint := 0;
BEGIN
    FOR t IN SELECT f.id, f.conversation_id, f.scope_id, f.state, f.position, f.epoch FROM turns f
            WHERE f.ended_at < before AND NOT f.folded
            ORDER BY f.ended_at LIMIT most FOR NO KEY UPDATE SKIP LOCKED LOOP
        WITH told AS (SELECT j.position, j.event, split_part(left(j.event::text, 40), '"', 4) AS name
                FROM journal j WHERE j.turn_id = t.id),
            void AS (SELECT coalesce(max(r.position), 0) AS until FROM told r WHERE r.name = 'text.reset')
        SELECT coalesce((SELECT string_agg(fd.readable(d.event) #>> '{data,text}', '' ORDER BY d.position)
                FROM told d, void WHERE d.name = 'text.delta' AND d.position > void.until), ''),
            coalesce((SELECT json_agg(k.event ORDER BY k.position) FROM told k
                WHERE k.name NOT IN ('text.delta', 'text.reset', 'model.replied', 'tool.progress')), '[]')
            INTO said, kept;
        DELETE FROM journal j WHERE j.turn_id = t.id;
        INSERT INTO journal (turn_id, position, conversation_id, scope_id, epoch, event)
            VALUES (t.id, t.position, t.conversation_id, t.scope_id, t.epoch,
                json_build_object('event', 'snapshot', 'data',
                    json_build_object('state', t.state, 'text', said, 'events', kept)));
        UPDATE turns SET folded = true WHERE turns.id = t.id;
        done := done + 1;
    END LOOP;
    RETURN done;
END
$$;

-- Renews many leases at once: `[{"turn", "epoch", "until"}]`. Those that are not in the answer were
-- lost; `allowed` says whether the person of the turn still has access.
CREATE FUNCTION fd.renew(leases text)
    RETURNS TABLE (turn_id uuid, epoch bigint, cancel_requested boolean, allowed boolean)
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    WITH asked AS (SELECT a.turn, a.epoch, a.until
            FROM json_to_recordset(leases::json) AS a (turn uuid, epoch bigint, until timestamptz)),
        held AS (SELECT t.id, asked.until FROM turns t JOIN asked ON asked.turn = t.id AND asked.epoch = t.epoch
            WHERE t.state = 'running' ORDER BY t.id FOR NO KEY UPDATE OF t)
    UPDATE turns t SET lease_until = held.until FROM held WHERE t.id = held.id
    RETURNING t.id, t.epoch, t.cancel_requested, EXISTS (SELECT 1 FROM conversations c WHERE c.id = t.conversation_id
        AND (c.user_id = t.profile_id OR c.company_id IN (
            SELECT m.company_id FROM company_members m WHERE m.profile_id = t.profile_id)))
$$;

-- Gives one turn that nobody works on to a node. Tells ids and the epoch, nothing of the turn. A
-- node that is late with a lease of its own has one more lease of time: it is at work, or it died
-- and another one asks.
CREATE OR REPLACE FUNCTION fd.claim(by_node text, at_time timestamptz, until timestamptz)
    RETURNS TABLE (turn_id uuid, conversation_id uuid, epoch bigint)
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    UPDATE turns t SET epoch = t.epoch + 1, node = by_node, lease_until = until, state = 'running',
        paused_at = NULL, deadline = t.deadline + coalesce(at_time - t.paused_at, interval '0')
    WHERE t.id = (SELECT f.id FROM turns f
        WHERE f.state IN ('running', 'awaiting_approval') AND f.lease_until < at_time
            AND (f.state <> 'running' OR f.node <> by_node OR f.lease_until < at_time - (until - at_time))
        ORDER BY f.lease_until LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED)
    RETURNING t.id, t.conversation_id, t.epoch
$$;

-- Ends a turn that cannot go on; its position, or nothing when it is no longer ours. Writes that
-- were started and have no end are on record as unknown. The end stands behind whatever the last
-- worker can have shown.
CREATE OR REPLACE FUNCTION fd.interrupt(turn uuid, held bigint, how text, at_time timestamptz, event text)
    RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    t turns%ROWTYPE;
BEGIN
    UPDATE turns SET state = 'interrupted', outcome = how::json, ended_at = at_time,
        lease_until = NULL, position = greatest(turns.position, turns.epoch << 32) + 1
        WHERE turns.id = turn AND turns.epoch = held AND turns.state = 'running' RETURNING * INTO t;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    INSERT INTO audit_log (at, profile_id, scope_id, conversation_id, turn_id, call_id, tool,
            arguments_hash, outcome)
        WITH told AS (SELECT j.position, fd.readable(j.event) AS event
            FROM journal j WHERE j.turn_id = t.id)
        SELECT at_time, t.profile_id, t.scope_id, t.conversation_id, t.id, s.call_id, s.tool, s.hash,
            'unknown'
        FROM (SELECT DISTINCT ON (j.event #>> '{data,call_id}') j.position,
                  j.event #>> '{data,call_id}' AS call_id, j.event #>> '{data,name}' AS tool,
                  encode(sha256(convert_to(j.event #>> '{data,arguments}', 'UTF8')), 'hex') AS hash
              FROM told j WHERE j.event ->> 'event' = 'tool.started'
                  AND j.event #>> '{data,effect}' IN ('idempotent', 'at_most_once')
              ORDER BY j.event #>> '{data,call_id}', j.position) s
        WHERE NOT EXISTS (SELECT 1 FROM told f WHERE f.event ->> 'event' = 'tool.finished'
            AND f.event #>> '{data,call_id}' = s.call_id)
        ORDER BY s.position;
    INSERT INTO journal (turn_id, position, conversation_id, scope_id, epoch, event)
        VALUES (t.id, t.position, t.conversation_id, t.scope_id, t.epoch, interrupt.event::json);
    RETURN t.position;
END
$$;

GRANT UPDATE (folded) ON turns TO fd_keeper;
GRANT CREATE ON SCHEMA fd TO fd_keeper;
ALTER FUNCTION fd.fold(timestamptz, bigint) OWNER TO fd_keeper;
ALTER FUNCTION fd.renew(text) OWNER TO fd_keeper;
REVOKE CREATE ON SCHEMA fd FROM fd_keeper;
REVOKE ALL ON FUNCTION fd.fold(timestamptz, bigint), fd.renew(text), fd.readable(json) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION fd.readable(json) TO fd_keeper;
GRANT EXECUTE ON FUNCTION fd.fold(timestamptz, bigint), fd.renew(text) TO fd_worker;
