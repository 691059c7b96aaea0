-- How many turns of a person are open, what became of calls whose turn could not go on, and an
-- `auth` schema that belongs to somebody else.

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

-- Whoever is asking, for functions that act as fd_keeper. A body of this form is bound when it is
-- created: where `auth` belongs to somebody else, as at Supabase, nobody can let fd_keeper into it.
CREATE FUNCTION fd.uid() RETURNS uuid LANGUAGE sql STABLE RETURN auth.uid();
REVOKE ALL ON FUNCTION fd.uid() FROM PUBLIC;
DO $grants$
BEGIN
    EXECUTE format('GRANT EXECUTE ON FUNCTION fd.uid() TO %I, fd_keeper', fd.app_role());
END
$grants$;

-- The profile of whoever is asking.
CREATE OR REPLACE FUNCTION fd.profile() RETURNS uuid
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    RETURN (SELECT p.id FROM profiles p WHERE p.user_id = fd.uid());
END
$$;

-- Their companies, as they are now.
CREATE OR REPLACE FUNCTION fd.companies() RETURNS SETOF uuid
    LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 4 SET search_path = public, pg_temp AS $$
BEGIN
    RETURN QUERY SELECT m.company_id FROM company_members m JOIN profiles p ON p.id = m.profile_id
        WHERE p.user_id = fd.uid();
END
$$;

-- Those of them that they run.
CREATE OR REPLACE FUNCTION fd.administered() RETURNS SETOF uuid
    LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 4 SET search_path = public, pg_temp AS $$
BEGIN
    RETURN QUERY SELECT m.company_id FROM company_members m JOIN profiles p ON p.id = m.profile_id
        WHERE p.user_id = fd.uid() AND m.role IN ('owner', 'admin');
END
$$;

-- Everyone who is in one of their companies.
CREATE OR REPLACE FUNCTION fd.colleagues() RETURNS SETOF uuid
    LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 20 SET search_path = public, pg_temp AS $$
BEGIN
    RETURN QUERY SELECT o.profile_id FROM company_members o WHERE o.company_id IN (SELECT fd.companies());
END
$$;

-- Where they are at home: their own profile and their companies.
CREATE OR REPLACE FUNCTION fd.scopes() RETURNS SETOF uuid
    LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 4 SET search_path = public, pg_temp AS $$
BEGIN
    RETURN QUERY SELECT p.id FROM profiles p WHERE p.user_id = fd.uid()
        UNION ALL SELECT m.company_id FROM company_members m JOIN profiles p ON p.id = m.profile_id
        WHERE p.user_id = fd.uid();
END
$$;

-- Conversations of their own in companies that they have left.
CREATE OR REPLACE FUNCTION fd.left_behind() RETURNS SETOF uuid
    LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 4 SET search_path = public, pg_temp AS $$
BEGIN
    RETURN QUERY SELECT c.id FROM conversations c WHERE c.user_id = fd.profile()
        AND c.company_id IS NOT NULL AND c.company_id NOT IN (SELECT fd.companies());
END
$$;
