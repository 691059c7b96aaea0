-- The functions that open, record and end a turn take JSON instead of up to 34 positional parameters. Events, the
-- principal, the opening and the outcome are JSON texts inside it: `jsonb` refuses escaped NUL characters, which
-- tools and models may produce.
DROP FUNCTION fd.open_turn(uuid, uuid, timestamptz, text, text, bigint, uuid, text, timestamptz, timestamptz, bigint,
    bigint, bigint, text, uuid[], text[], text[], text[], text[], text[], text[], bigint[], bigint, bigint, timestamptz,
    bigint, bigint, bigint, text, timestamptz, text, text, text, timestamptz);
DROP FUNCTION fd.step(uuid, bigint, bigint, timestamptz, bigint[], text[], text[], text[], text[], text[], uuid[]);
DROP FUNCTION fd.finish(uuid, bigint, bigint, timestamptz, bigint[], text[], text[], text[], text[], text[], uuid[],
    uuid[], text[], text[], text[], text[], text[], text[], bigint[], uuid, text, text, text, bigint, bigint, bigint,
    boolean, bigint);
ALTER FUNCTION fd.enter(uuid) RENAME TO load_caller_and_conversation;

-- Inserts lines of a conversation, the first at `first_seq`. Only functions of this schema call it.
CREATE FUNCTION fd.insert_lines(of_turn uuid, of_conversation uuid, of_scope uuid, at_time timestamptz,
        first_seq bigint, lines jsonb)
    RETURNS void
    LANGUAGE sql SET search_path = public, pg_temp AS $$
    INSERT INTO messages (id, conversation_id, role, content, metadata, created_at, scope_id, seq, turn_id, part,
            kind, wire, tokens)
        SELECT l.id, of_conversation, l.role, l.content, l.metadata, at_time, of_scope, first_seq + l.n - 1, of_turn,
            l.part, l.kind, l.wire, l.tokens
        FROM ROWS FROM (jsonb_to_recordset(lines) AS (id uuid, role text, content text, metadata jsonb, part text,
            kind text, wire text, tokens bigint)) WITH ORDINALITY
            AS l (id, role, content, metadata, part, kind, wire, tokens, n)
$$;

-- Opens a turn of the caller: its lines, its first event, its rate event and its idempotency key.
CREATE FUNCTION fd.open_turn(request jsonb) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    r record;
    k record;
    me uuid;
    scope uuid;
BEGIN
    SELECT * INTO r FROM jsonb_to_record(request) AS r (conversation uuid, turn uuid, now timestamptz,
        principal text, opening text, first_seq bigint, message uuid, node text, lease_until timestamptz,
        deadline timestamptz, reserved bigint, allowance bigint, position bigint, started text, lines jsonb,
        next_seq bigint, message_count bigint, last_message_at timestamptz, floor_seq bigint, text_count bigint,
        new_files bigint, bucket text, window_start timestamptz, key jsonb);
    SELECT p.id INTO me FROM profiles p WHERE p.user_id = fd.uid();
    UPDATE conversations c SET message_count = r.message_count, last_message_at = r.last_message_at,
            updated_at = r.now, next_seq = r.next_seq, floor_seq = coalesce(r.floor_seq, c.floor_seq),
            text_count = r.text_count, file_count = c.file_count + r.new_files
        WHERE c.id = r.conversation AND ((c.company_id IS NULL AND c.subject IS NULL AND c.user_id = me)
            OR ((c.subject IS NULL OR c.user_id = me) AND c.company_id IN (
                SELECT m.company_id FROM company_members m WHERE m.profile_id = me)))
        RETURNING c.scope_id INTO scope;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'the caller has no access to this conversation'
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    PERFORM fd.insert_lines(r.turn, r.conversation, scope, r.now, r.next_seq - jsonb_array_length(r.lines), r.lines);
    INSERT INTO turns (id, conversation_id, scope_id, profile_id, subject, principal, opening, first_seq,
            user_message_id, state, position, epoch, node, lease_until, deadline, started_at, reserved, allowance)
        VALUES (r.turn, r.conversation, scope, me, fd.uid(), r.principal::json, r.opening::json, r.first_seq,
            r.message, 'running', r.position, 0, r.node, r.lease_until, r.deadline, r.now, r.reserved, r.allowance);
    INSERT INTO journal (turn_id, position, conversation_id, scope_id, epoch, event)
        VALUES (r.turn, r.position, r.conversation, scope, 0, r.started::json);
    DELETE FROM rate_events e WHERE e.bucket = r.bucket AND e.at <= r.window_start AND e.profile_id = me;
    INSERT INTO rate_events (bucket, at, turn_id, profile_id) VALUES (r.bucket, r.now, r.turn, me);
    IF jsonb_typeof(r.key) = 'object' THEN
        SELECT * INTO k FROM jsonb_to_record(r.key) AS k (route text, key text, fingerprint text, forget timestamptz);
        DELETE FROM idempotency_keys i WHERE i.profile_id = me AND i.created_at < k.forget;
        INSERT INTO idempotency_keys (profile_id, route, key, fingerprint, turn_id, created_at)
            VALUES (me, k.route, k.key, k.fingerprint, r.turn, r.now)
            ON CONFLICT (profile_id, route, key) DO UPDATE SET turn_id = excluded.turn_id;
    END IF;
END
$$;

-- Adds the audit of a report. Only functions of this schema call it.
CREATE FUNCTION fd.insert_audit(of_turn uuid, at_time timestamptz, notes jsonb) RETURNS void
    LANGUAGE sql SET search_path = public, pg_temp AS $$
    INSERT INTO audit_log (at, profile_id, profile_name, scope_id, conversation_id, turn_id, call_id, tool, target,
            outcome, approver, approver_name)
        SELECT at_time, t.profile_id, t.principal ->> 'name', t.scope_id, t.conversation_id, of_turn, a.call, a.tool,
            a.target, a.outcome, coalesce(a.approver, d.decided_by), p.display_name
        FROM turns t CROSS JOIN ROWS FROM (jsonb_to_recordset(notes) AS (call text, tool text, target text,
            outcome text, approver uuid)) WITH ORDINALITY AS a (call, tool, target, outcome, approver, n)
        LEFT JOIN approvals d ON d.turn_id = of_turn AND d.call_id = a.call AND d.decision = 'approved'
        LEFT JOIN profiles p ON p.id = coalesce(a.approver, d.decided_by)
        WHERE t.id = of_turn
        ORDER BY a.n
$$;

-- Records a worker's report under its lease: `{turn, epoch, lock, now, entries: [{position, event}], audit}`. The
-- rest of the transaction acts as the person of the turn. `lock` is taken before the turn's row, as everywhere, so
-- that transactions cannot deadlock.
CREATE FUNCTION fd.step(report jsonb) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    r record;
    t record;
BEGIN
    SELECT * INTO r FROM jsonb_to_record(report) AS r (turn uuid, epoch bigint, lock bigint, now timestamptz,
        entries jsonb, audit jsonb);
    IF r.lock IS NOT NULL THEN
        PERFORM pg_advisory_xact_lock(r.lock);
    END IF;
    PERFORM fd.hold(r.turn, r.epoch);
    UPDATE turns SET position = coalesce((r.entries -> -1 ->> 'position')::bigint, turns.position)
        WHERE turns.id = r.turn RETURNING turns.conversation_id, turns.scope_id INTO t;
    INSERT INTO journal (turn_id, position, conversation_id, scope_id, epoch, event)
        SELECT r.turn, e.position, t.conversation_id, t.scope_id, r.epoch, e.event::json
        FROM jsonb_to_recordset(r.entries) AS e (position bigint, event text);
    IF jsonb_array_length(r.audit) > 0 THEN
        PERFORM fd.insert_audit(r.turn, r.now, r.audit);
    END IF;
END
$$;

-- Ends a turn under its lease: its last report, as `fd.step` takes it, and its lines, usage and outcome.
CREATE FUNCTION fd.finish(report jsonb, ending jsonb) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    r record;
    f record;
    t record;
    c record;
BEGIN
    SELECT * INTO r FROM jsonb_to_record(report) AS r (turn uuid, epoch bigint, lock bigint, now timestamptz,
        entries jsonb, audit jsonb);
    SELECT * INTO f FROM jsonb_to_record(ending) AS f (lines jsonb, answer uuid, progress jsonb, state text,
        outcome text, input_tokens bigint, output_tokens bigint, cached_tokens bigint, estimated boolean, day bigint);
    IF r.lock IS NOT NULL THEN
        PERFORM pg_advisory_xact_lock(r.lock);
    END IF;
    PERFORM fd.hold(r.turn, r.epoch);
    UPDATE turns SET state = f.state, outcome = f.outcome::json, agent_message_id = f.answer,
            input_tokens = f.input_tokens, output_tokens = f.output_tokens, cached_tokens = f.cached_tokens,
            usage_estimated = f.estimated, ended_at = r.now, lease_until = NULL,
            position = coalesce((r.entries -> -1 ->> 'position')::bigint, turns.position)
        WHERE turns.id = r.turn RETURNING turns.conversation_id, turns.scope_id, turns.profile_id INTO t;
    INSERT INTO journal (turn_id, position, conversation_id, scope_id, epoch, event)
        SELECT r.turn, e.position, t.conversation_id, t.scope_id, r.epoch, e.event::json
        FROM jsonb_to_recordset(r.entries) AS e (position bigint, event text);
    IF jsonb_array_length(r.audit) > 0 THEN
        PERFORM fd.insert_audit(r.turn, r.now, r.audit);
    END IF;
    UPDATE conversations SET next_seq = conversations.next_seq + jsonb_array_length(f.lines),
            message_count = conversations.message_count + CASE WHEN f.answer IS NULL THEN 0 ELSE 1 END,
            last_message_at = CASE WHEN f.answer IS NULL THEN conversations.last_message_at ELSE r.now END,
            updated_at = r.now, progress = coalesce(nullif(f.progress, 'null'), conversations.progress)
        WHERE conversations.id = t.conversation_id
        RETURNING conversations.company_id, conversations.assistant, conversations.next_seq INTO c;
    PERFORM fd.insert_lines(r.turn, t.conversation_id, t.scope_id, r.now,
        c.next_seq - jsonb_array_length(f.lines), f.lines);
    INSERT INTO usage_days (profile_id, day, scope_id, company_id, assistant, turns, input_tokens, output_tokens,
            cached_tokens, estimated_turns)
        VALUES (t.profile_id, f.day, t.scope_id, c.company_id, c.assistant, 1, f.input_tokens, f.output_tokens,
            f.cached_tokens, CASE WHEN f.estimated THEN 1 ELSE 0 END)
        ON CONFLICT (profile_id, day, scope_id, assistant) DO UPDATE SET
            turns = usage_days.turns + 1,
            input_tokens = usage_days.input_tokens + excluded.input_tokens,
            output_tokens = usage_days.output_tokens + excluded.output_tokens,
            cached_tokens = usage_days.cached_tokens + excluded.cached_tokens,
            estimated_turns = usage_days.estimated_turns + excluded.estimated_turns;
END
$$;

GRANT CREATE ON SCHEMA fd TO fd_keeper;
DO $own$
DECLARE
    f record;
BEGIN
    FOR f IN SELECT p.oid::regprocedure AS signature, p.proname AS name FROM pg_proc p
        WHERE p.pronamespace = 'fd'::regnamespace
            AND p.proname IN ('open_turn', 'step', 'finish', 'insert_lines', 'insert_audit') LOOP
        EXECUTE format('ALTER FUNCTION %s OWNER TO fd_keeper', f.signature);
        EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', f.signature);
        IF f.name IN ('open_turn', 'step', 'finish') THEN
            EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO %I', f.signature, fd.app_role());
        END IF;
    END LOOP;
END
$own$;
REVOKE CREATE ON SCHEMA fd FROM fd_keeper;
