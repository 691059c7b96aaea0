-- The audit says in words who did what to which object, and whose decision it was. It outlives what it speaks of,
-- so the names are those of the moment. The unsalted hash of the arguments told nobody anything and could be guessed.
ALTER TABLE audit_log ADD COLUMN profile_name text;
ALTER TABLE audit_log ADD COLUMN target text;
ALTER TABLE audit_log ADD COLUMN approver_name text;
ALTER TABLE audit_log DROP COLUMN arguments_hash;
ALTER TABLE approvals ADD COLUMN target text;

-- Their parameters have other names now.
DROP FUNCTION fd.step(uuid, bigint, bigint, timestamptz, bigint[], text[], text[], text[], text[], text[], uuid[]);
DROP FUNCTION fd.finish(uuid, bigint, bigint, timestamptz, bigint[], text[], text[], text[], text[], text[], uuid[],
    uuid[], text[], text[], text[], text[], text[], text[], bigint[], uuid, text, text, text, bigint, bigint, bigint,
    boolean, bigint);
DROP FUNCTION fd.decided(uuid, timestamptz, text, text, text, text, uuid, text, timestamptz);

-- What a worker reports, under its lease. The rest of the transaction acts as the person of the turn. `held_first`
-- is locked before the turn, as everywhere: nobody waits in a circle.
CREATE FUNCTION fd.step(of_turn uuid, held bigint, held_first bigint, at_time timestamptz,
        positions bigint[], events text[],
        calls text[], tools text[], targets text[], outcomes text[], approvers uuid[])
    RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    t record;
BEGIN
    IF held_first IS NOT NULL THEN
        PERFORM pg_advisory_xact_lock(held_first);
    END IF;
    PERFORM fd.hold(of_turn, held);
    UPDATE turns SET position = coalesce(positions[cardinality(positions)], turns.position)
        WHERE turns.id = of_turn RETURNING turns.conversation_id, turns.scope_id, turns.profile_id, turns.principal ->> 'name' AS name INTO t;
    INSERT INTO journal (turn_id, position, conversation_id, scope_id, epoch, event)
        SELECT of_turn, e.position, t.conversation_id, t.scope_id, held, e.event::json
        FROM unnest(positions, events) AS e (position, event);
    IF cardinality(calls) > 0 THEN
        INSERT INTO audit_log (at, profile_id, profile_name, scope_id, conversation_id, turn_id, call_id, tool, target,
                outcome, approver, approver_name)
            SELECT at_time, t.profile_id, t.name, t.scope_id, t.conversation_id, of_turn, a.call, a.tool, a.target,
                a.outcome, coalesce(a.approver, d.decided_by), p.display_name
            FROM unnest(calls, tools, targets, outcomes, approvers) WITH ORDINALITY
                AS a (call, tool, target, outcome, approver, n)
            LEFT JOIN approvals d ON d.turn_id = of_turn AND d.call_id = a.call AND d.decision = 'approved'
            LEFT JOIN profiles p ON p.id = coalesce(a.approver, d.decided_by)
            ORDER BY a.n;
    END IF;
END
$$;

-- The end of a turn, under its lease: its last report, its lines, what it used and how it ended.
CREATE FUNCTION fd.finish(of_turn uuid, held bigint, held_first bigint, at_time timestamptz,
        positions bigint[], events text[],
        calls text[], tools text[], targets text[], outcomes text[], approvers uuid[],
        ids uuid[], roles text[], contents text[], metadatas text[], parts text[], kinds text[], wires text[],
        sizes bigint[], answer uuid, new_progress text, ending text, how text, tokens_in bigint, tokens_out bigint,
        tokens_cached bigint, guessed boolean, on_day bigint)
    RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    t record;
    c record;
BEGIN
    IF held_first IS NOT NULL THEN
        PERFORM pg_advisory_xact_lock(held_first);
    END IF;
    PERFORM fd.hold(of_turn, held);
    UPDATE turns SET state = ending, outcome = how::json, agent_message_id = answer, input_tokens = tokens_in,
            output_tokens = tokens_out, cached_tokens = tokens_cached, usage_estimated = guessed,
            ended_at = at_time, lease_until = NULL,
            position = coalesce(positions[cardinality(positions)], turns.position)
        WHERE turns.id = of_turn
        RETURNING turns.conversation_id, turns.scope_id, turns.profile_id, turns.principal ->> 'name' AS name INTO t;
    INSERT INTO journal (turn_id, position, conversation_id, scope_id, epoch, event)
        SELECT of_turn, e.position, t.conversation_id, t.scope_id, held, e.event::json
        FROM unnest(positions, events) AS e (position, event);
    IF cardinality(calls) > 0 THEN
        INSERT INTO audit_log (at, profile_id, profile_name, scope_id, conversation_id, turn_id, call_id, tool, target,
                outcome, approver, approver_name)
            SELECT at_time, t.profile_id, t.name, t.scope_id, t.conversation_id, of_turn, a.call, a.tool, a.target,
                a.outcome, coalesce(a.approver, d.decided_by), p.display_name
            FROM unnest(calls, tools, targets, outcomes, approvers) WITH ORDINALITY
                AS a (call, tool, target, outcome, approver, n)
            LEFT JOIN approvals d ON d.turn_id = of_turn AND d.call_id = a.call AND d.decision = 'approved'
            LEFT JOIN profiles p ON p.id = coalesce(a.approver, d.decided_by)
            ORDER BY a.n;
    END IF;
    UPDATE conversations SET next_seq = conversations.next_seq + cardinality(ids),
            message_count = conversations.message_count + CASE WHEN answer IS NULL THEN 0 ELSE 1 END,
            last_message_at = CASE WHEN answer IS NULL THEN conversations.last_message_at ELSE at_time END,
            updated_at = at_time, progress = coalesce(new_progress::jsonb, conversations.progress)
        WHERE conversations.id = t.conversation_id
        RETURNING conversations.company_id, conversations.assistant, conversations.next_seq INTO c;
    INSERT INTO messages (id, conversation_id, role, content, metadata, created_at, scope_id, seq, turn_id, part,
            kind, wire, tokens)
        SELECT l.id, t.conversation_id, l.role, l.content, l.metadata::jsonb, at_time, t.scope_id,
            c.next_seq - cardinality(ids) + l.n - 1, of_turn, l.part, l.kind, l.wire, l.tokens
        FROM unnest(ids, roles, contents, metadatas, parts, kinds, wires, sizes) WITH ORDINALITY
            AS l (id, role, content, metadata, part, kind, wire, tokens, n);
    INSERT INTO usage_days (profile_id, day, scope_id, company_id, assistant, turns, input_tokens, output_tokens,
            cached_tokens, estimated_turns)
        VALUES (t.profile_id, on_day, t.scope_id, c.company_id, c.assistant, 1, tokens_in, tokens_out,
            tokens_cached, CASE WHEN guessed THEN 1 ELSE 0 END)
        ON CONFLICT (profile_id, day, scope_id, assistant) DO UPDATE SET
            turns = usage_days.turns + 1,
            input_tokens = usage_days.input_tokens + excluded.input_tokens,
            output_tokens = usage_days.output_tokens + excluded.output_tokens,
            cached_tokens = usage_days.cached_tokens + excluded.cached_tokens,
            estimated_turns = usage_days.estimated_turns + excluded.estimated_turns;
END
$$;

-- Tells the turn of a card what the caller has just decided. An approver need not have access to
-- the conversation, and gets none.
CREATE FUNCTION fd.decided(turn uuid, at_time timestamptz, call text, tool text, decider_name text,
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
    INSERT INTO audit_log (at, profile_id, profile_name, scope_id, conversation_id, turn_id, call_id, tool,
            target, outcome, approver, approver_name)
        SELECT at_time, t.profile_id, t.principal ->> 'name', t.scope_id, t.conversation_id, t.id, call,
            decided.tool, a.target, how, decider, decider_name
        FROM approvals a WHERE a.turn_id = t.id AND a.call_id = call;
END
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
    INSERT INTO audit_log (at, profile_id, profile_name, scope_id, conversation_id, turn_id, call_id, tool, target,
            outcome)
        WITH told AS (SELECT j.position, fd.readable(j.event) AS event
            FROM journal j WHERE j.turn_id = t.id)
        SELECT at_time, t.profile_id, t.principal ->> 'name', t.scope_id, t.conversation_id, t.id, s.call_id, s.tool,
            (SELECT a.target FROM approvals a WHERE a.turn_id = t.id AND a.call_id = s.call_id), 'unknown'
        FROM (SELECT DISTINCT ON (j.event #>> '{data,call_id}') j.position,
                  j.event #>> '{data,call_id}' AS call_id, j.event #>> '{data,name}' AS tool
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

GRANT CREATE ON SCHEMA fd TO fd_keeper;
DO $own$
DECLARE
    f regprocedure;
BEGIN
    FOR f IN SELECT p.oid::regprocedure FROM pg_proc p
        WHERE p.pronamespace = 'fd'::regnamespace AND p.proname IN ('step', 'finish', 'decided') LOOP
        EXECUTE format('ALTER FUNCTION %s OWNER TO fd_keeper', f);
        EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', f);
        EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO %I', f, fd.app_role());
    END LOOP;
END
$own$;
REVOKE CREATE ON SCHEMA fd FROM fd_keeper;
