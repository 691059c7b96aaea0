-- What policies ask, and the few things that are done across the borders between people. All of it
-- belongs to fd_keeper, has a fixed search path and does one thing.

-- What policies ask is written in plpgsql, whose plans are kept for the session: it is asked in
-- every statement, once for each table.

-- The profile of whoever is asking.
CREATE FUNCTION fd.profile() RETURNS uuid
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    RETURN (SELECT p.id FROM profiles p WHERE p.user_id = auth.uid());
END
$$;

-- Their companies, as they are now.
CREATE FUNCTION fd.companies() RETURNS SETOF uuid
    LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 4 SET search_path = public, pg_temp AS $$
BEGIN
    RETURN QUERY SELECT m.company_id FROM company_members m JOIN profiles p ON p.id = m.profile_id
        WHERE p.user_id = auth.uid();
END
$$;

-- Those of them that they run.
CREATE FUNCTION fd.administered() RETURNS SETOF uuid
    LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 4 SET search_path = public, pg_temp AS $$
BEGIN
    RETURN QUERY SELECT m.company_id FROM company_members m JOIN profiles p ON p.id = m.profile_id
        WHERE p.user_id = auth.uid() AND m.role IN ('owner', 'admin');
END
$$;

-- Everyone who is in one of their companies.
CREATE FUNCTION fd.colleagues() RETURNS SETOF uuid
    LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 20 SET search_path = public, pg_temp AS $$
BEGIN
    RETURN QUERY SELECT o.profile_id FROM company_members o WHERE o.company_id IN (SELECT fd.companies());
END
$$;

-- Where they are at home: their own profile and their companies.
CREATE FUNCTION fd.scopes() RETURNS SETOF uuid
    LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 4 SET search_path = public, pg_temp AS $$
BEGIN
    RETURN QUERY SELECT p.id FROM profiles p WHERE p.user_id = auth.uid()
        UNION ALL SELECT m.company_id FROM company_members m JOIN profiles p ON p.id = m.profile_id
        WHERE p.user_id = auth.uid();
END
$$;

-- Conversations of their own in companies that they have left.
CREATE FUNCTION fd.left_behind() RETURNS SETOF uuid
    LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 4 SET search_path = public, pg_temp AS $$
BEGIN
    RETURN QUERY SELECT c.id FROM conversations c WHERE c.user_id = fd.profile()
        AND c.company_id IS NOT NULL AND c.company_id NOT IN (SELECT fd.companies());
END
$$;

-- The roles that the claims of this transaction carry.
CREATE FUNCTION fd.roles() RETURNS text[]
    LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT ARRAY(SELECT jsonb_array_elements_text(CASE jsonb_typeof(r.roles) WHEN 'array' THEN r.roles ELSE '[]' END))
    FROM (SELECT nullif(current_setting('request.jwt.claims', true), '')::jsonb
              -> 'app_metadata' -> 'roles' AS roles) r
$$;

-- Tells what exists and is foreign from what is not there; nothing else is told.
CREATE FUNCTION fd.exists(kind text, id uuid) RETURNS boolean
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT CASE $1
        WHEN 'conversation' THEN EXISTS (SELECT 1 FROM conversations c WHERE c.id = $2)
        WHEN 'turn' THEN EXISTS (SELECT 1 FROM turns t WHERE t.id = $2)
        WHEN 'attachment' THEN EXISTS (SELECT 1 FROM attachments a WHERE a.id = $2)
        ELSE false
    END
$$;

-- The event that keeps a bucket full: a bucket may be shared, its events are not shown.
CREATE FUNCTION fd.blocked_by(bucket text, since timestamptz, place bigint) RETURNS timestamptz
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    RETURN (SELECT r.at FROM rate_events r WHERE r.bucket = $1 AND r.at > $2
        ORDER BY r.at DESC LIMIT 1 OFFSET $3);
END
$$;

-- Checks a worker's lease and lets the rest of the transaction act as the person of the turn.
CREATE FUNCTION fd.hold(turn uuid, held bigint) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    t record;
BEGIN
    SELECT turns.subject, turns.profile_id, turns.conversation_id INTO t FROM turns
        WHERE turns.id = turn AND turns.epoch = held AND turns.state = 'running'
        FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'the lease of this turn was lost'
            USING ERRCODE = 'check_violation', CONSTRAINT = 'turn_lease';
    END IF;
    IF NOT EXISTS (SELECT 1 FROM conversations c WHERE c.id = t.conversation_id
            AND (c.user_id = t.profile_id OR c.company_id IN (
                SELECT m.company_id FROM company_members m WHERE m.profile_id = t.profile_id))) THEN
        RAISE EXCEPTION 'the person of this turn has no access any more'
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    PERFORM set_config('request.jwt.claims',
        json_build_object('sub', t.subject, 'role', 'authenticated')::text, true);
END
$$;

-- Whether a worker has written this very entry before; for one whose answer was lost.
CREATE FUNCTION fd.recorded(turn uuid, held bigint, place bigint, event text) RETURNS boolean
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT EXISTS (SELECT 1 FROM journal j
        WHERE j.turn_id = $1 AND j.epoch = $2 AND j.position = $3 AND j.event::text = $4)
$$;

-- Gives one turn that nobody works on to a node. Tells ids and the epoch, nothing of the turn.
CREATE FUNCTION fd.claim(by_node text, at_time timestamptz, until timestamptz)
    RETURNS TABLE (turn_id uuid, conversation_id uuid, epoch bigint)
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    UPDATE turns t SET epoch = t.epoch + 1, node = by_node, lease_until = until, state = 'running',
        paused_at = NULL, deadline = t.deadline + coalesce(at_time - t.paused_at, interval '0')
    WHERE t.id = (SELECT f.id FROM turns f
        WHERE f.state IN ('running', 'awaiting_approval') AND f.lease_until < at_time
        ORDER BY f.lease_until LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED)
    RETURNING t.id, t.conversation_id, t.epoch
$$;

-- Ends a turn that cannot go on; its position, or nothing when it is no longer ours.
CREATE FUNCTION fd.interrupt(turn uuid, held bigint, how text, at_time timestamptz, event text)
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
    INSERT INTO journal (turn_id, position, conversation_id, scope_id, epoch, event)
        VALUES (t.id, t.position, t.conversation_id, t.scope_id, t.epoch, interrupt.event::json);
    RETURN t.position;
END
$$;

-- Tells the turn of a card what the caller has just decided. An approver need not have access to
-- the conversation, and gets none.
CREATE FUNCTION fd.decided(turn uuid, at_time timestamptz, call text, tool text, hash text,
        how text, decider uuid, event text, nobody timestamptz) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    t turns%ROWTYPE;
BEGIN
    IF decider IS DISTINCT FROM fd.profile() OR NOT EXISTS (SELECT 1 FROM approvals a
            WHERE a.turn_id = turn AND a.call_id = call AND a.decided_by = decider
            AND a.decided_at = at_time AND a.decision = how) THEN
        RAISE EXCEPTION 'this card was not decided by the caller'
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    UPDATE turns SET position = turns.position + 1,
        lease_until = CASE turns.state WHEN 'awaiting_approval' THEN
            coalesce((SELECT max(a.expires_at) FROM approvals a
                WHERE a.turn_id = turn AND a.decision IS NULL), nobody)
            ELSE turns.lease_until END
        WHERE turns.id = turn RETURNING * INTO t;
    INSERT INTO journal (turn_id, position, conversation_id, scope_id, epoch, event)
        VALUES (t.id, t.position, t.conversation_id, t.scope_id, t.epoch, decided.event::json);
    INSERT INTO audit_log (at, profile_id, scope_id, conversation_id, turn_id, call_id, tool,
            arguments_hash, outcome, approver)
        VALUES (at_time, t.profile_id, t.scope_id, t.conversation_id, t.id, call, decided.tool, hash,
            how, decider);
END
$$;

CREATE FUNCTION fd.ensure_company(company uuid, called text, owner uuid, at_time timestamptz)
    RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    INSERT INTO companies (id, name, owner_id, created_at)
        VALUES (company, called, owner, at_time) ON CONFLICT (id) DO NOTHING;
    IF FOUND THEN
        INSERT INTO company_members (company_id, profile_id, role, joined_at)
            VALUES (company, owner, 'owner', at_time);
    END IF;
END
$$;

CREATE FUNCTION fd.add_member(company uuid, member uuid, standing text, at_time timestamptz)
    RETURNS void
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    INSERT INTO company_members (company_id, profile_id, role, joined_at)
        VALUES (company, member, standing, at_time)
        ON CONFLICT (company_id, profile_id) DO UPDATE SET role = excluded.role
$$;

-- The member's role, or nothing. The owner stays.
CREATE FUNCTION fd.remove_member(company uuid, member uuid) RETURNS text
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    standing text;
BEGIN
    SELECT m.role INTO standing FROM company_members m
        WHERE m.company_id = company AND m.profile_id = member;
    DELETE FROM company_members m
        WHERE m.company_id = company AND m.profile_id = member AND m.role <> 'owner';
    RETURN standing;
END
$$;

-- Erases what is in a conversation, for its owner alone. A turn that still runs keeps its row.
CREATE FUNCTION fd.clear(conversation uuid) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF NOT EXISTS (SELECT 1 FROM conversations c WHERE c.id = conversation AND c.user_id = fd.profile()) THEN
        RAISE EXCEPTION 'only its owner clears a conversation' USING ERRCODE = 'insufficient_privilege';
    END IF;
    DELETE FROM messages m WHERE m.conversation_id = conversation;
    DELETE FROM texts t WHERE t.conversation_id = conversation;
    DELETE FROM artifacts a WHERE a.conversation_id = conversation;
    DELETE FROM attachments a WHERE a.conversation_id = conversation;
    DELETE FROM turns t WHERE t.conversation_id = conversation
        AND t.state NOT IN ('running', 'awaiting_approval');
    DELETE FROM approvals a WHERE a.turn_id IN (SELECT t.id FROM turns t WHERE t.conversation_id = conversation);
    DELETE FROM journal j WHERE j.turn_id IN (SELECT t.id FROM turns t WHERE t.conversation_id = conversation);
END
$$;

-- Only the owner renames a conversation, whoever writes to it.
CREATE FUNCTION fd.guard_title() RETURNS trigger
    LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF OLD.user_id IS DISTINCT FROM fd.profile() THEN
        RAISE EXCEPTION 'only its owner renames a conversation'
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER conversations_title BEFORE UPDATE OF title ON conversations
    FOR EACH ROW WHEN (OLD.title IS DISTINCT FROM NEW.title) EXECUTE FUNCTION fd.guard_title();

-- fd_keeper owns what acts for it, and may create nothing else.
GRANT USAGE, CREATE ON SCHEMA fd TO fd_keeper;
DO $own$
DECLARE
    f regprocedure;
BEGIN
    FOR f IN SELECT p.oid::regprocedure FROM pg_proc p
        WHERE p.pronamespace = 'fd'::regnamespace AND p.prosecdef LOOP
        EXECUTE format('ALTER FUNCTION %s OWNER TO fd_keeper', f);
    END LOOP;
END
$own$;
REVOKE CREATE ON SCHEMA fd FROM fd_keeper;
