-- Each step of a turn in one call. The functions belong to fd_keeper, find out once who is asking, from the claims
-- and never from what they are given, check what the policies check, and write everything together.

-- What decides about a message, behind the locks that keep others from deciding at the same moment: each statement
-- of a function like this one sees what was committed before it. No row where the caller has no access.
CREATE FUNCTION fd.look(locks bigint[], of_conversation uuid, of_bucket text, since timestamptz, place bigint,
        of_route text, of_key text, on_day bigint, limited boolean)
    RETURNS TABLE (id uuid, user_id uuid, company_id uuid, assistant text, subject text, title text, phase text,
        metadata jsonb, progress jsonb, message_count bigint, last_message_at timestamptz, created_at timestamptz,
        updated_at timestamptz, scope_id uuid, next_seq bigint, text_count bigint, file_count bigint,
        wires text, marks text, active_turn uuid, blocked_by timestamptz, in_flight bigint,
        rate_counted bigint, rate_oldest timestamptz, spent_person bigint, spent_company bigint,
        reserved_person bigint, reserved_company bigint, key_fingerprint text, key_turn uuid)
    LANGUAGE plpgsql VOLATILE SECURITY DEFINER ROWS 1 SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
    me uuid;
    held bigint;
BEGIN
    FOREACH held IN ARRAY locks LOOP
        PERFORM pg_advisory_xact_lock(held);
    END LOOP;
    SELECT p.id INTO me FROM profiles p WHERE p.user_id = fd.uid();
    RETURN QUERY SELECT c.id, c.user_id, c.company_id, c.assistant, c.subject, c.title, c.phase,
            c.metadata, c.progress, c.message_count, c.last_message_at, c.created_at,
            c.updated_at, c.scope_id, c.next_seq, c.text_count, c.file_count, told.wires, told.marks,
            (SELECT t.id FROM turns t WHERE t.conversation_id = c.id AND t.state IN ('running', 'awaiting_approval')),
            (SELECT r.at FROM rate_events r WHERE r.bucket = of_bucket AND r.at > since
                ORDER BY r.at DESC LIMIT 1 OFFSET place),
            (SELECT count(*) FROM turns t WHERE t.profile_id = me AND t.state = 'running'),
            rate.counted, rate.oldest,
            CASE WHEN limited THEN (SELECT coalesce(sum(u.input_tokens + u.output_tokens), 0)::bigint
                FROM usage_days u WHERE u.profile_id = me AND u.day = on_day) ELSE 0 END,
            CASE WHEN limited THEN fd.spent(c.company_id, on_day) ELSE 0 END,
            CASE WHEN limited THEN fd.reserved() ELSE 0 END,
            CASE WHEN limited THEN fd.reserved(c.company_id) ELSE 0 END,
            k.fingerprint, k.turn_id
        FROM conversations c
        LEFT JOIN idempotency_keys k ON k.profile_id = me AND k.route = of_route AND k.key = of_key
        CROSS JOIN LATERAL (SELECT string_agg(m.wire, ',' ORDER BY m.seq) AS wires,
                string_agg(m.kind || ' ' || m.tokens || ' ' || octet_length(m.wire) || ' ' || m.seq, ','
                    ORDER BY m.seq) AS marks
            FROM messages m WHERE m.conversation_id = c.id AND m.wire IS NOT NULL AND m.seq >= c.floor_seq) told
        CROSS JOIN (SELECT count(*) AS counted, min(r.at) AS oldest FROM rate_events r
            WHERE r.bucket = of_bucket AND r.at > since) rate
        WHERE c.id = of_conversation AND (c.user_id = me OR c.company_id IN (
            SELECT m.company_id FROM company_members m WHERE m.profile_id = me));
END
$$;

-- Opens a turn of the caller's: its lines, its first event, and what is counted of it.
CREATE FUNCTION fd.open_turn(of_conversation uuid, new_turn uuid, at_time timestamptz, who text, how text,
        from_seq bigint, message uuid, by_node text, until timestamptz, latest timestamptz, reserve bigint,
        most bigint, place bigint, started text,
        ids uuid[], roles text[], contents text[], metadatas text[], parts text[], kinds text[], wires text[],
        sizes bigint[], line_after bigint, said bigint, said_at timestamptz, new_floor bigint, texts bigint,
        files bigint, of_bucket text, since timestamptz, of_route text, of_key text, print text,
        forget timestamptz)
    RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    me uuid;
    scope uuid;
BEGIN
    SELECT p.id INTO me FROM profiles p WHERE p.user_id = fd.uid();
    UPDATE conversations c SET message_count = said, last_message_at = said_at, updated_at = at_time,
            next_seq = line_after, floor_seq = coalesce(new_floor, c.floor_seq), text_count = texts,
            file_count = c.file_count + files
        WHERE c.id = of_conversation AND (c.user_id = me OR c.company_id IN (
            SELECT m.company_id FROM company_members m WHERE m.profile_id = me))
        RETURNING c.scope_id INTO scope;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'the caller has no access to this conversation'
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    INSERT INTO messages (id, conversation_id, role, content, metadata, created_at, scope_id, seq, turn_id, part,
            kind, wire, tokens)
        SELECT l.id, of_conversation, l.role, l.content, l.metadata::jsonb, at_time, scope,
            line_after - cardinality(ids) + l.n - 1, new_turn, l.part, l.kind, l.wire, l.tokens
        FROM unnest(ids, roles, contents, metadatas, parts, kinds, wires, sizes) WITH ORDINALITY
            AS l (id, role, content, metadata, part, kind, wire, tokens, n);
    INSERT INTO turns (id, conversation_id, scope_id, profile_id, subject, principal, opening, first_seq,
            user_message_id, state, position, epoch, node, lease_until, deadline, started_at, reserved, allowance)
        VALUES (new_turn, of_conversation, scope, me, fd.uid(), who::json, how::json, from_seq,
            message, 'running', place, 0, by_node, until, latest, at_time, reserve, most);
    INSERT INTO journal (turn_id, position, conversation_id, scope_id, epoch, event)
        VALUES (new_turn, place, of_conversation, scope, 0, started::json);
    DELETE FROM rate_events r WHERE r.bucket = of_bucket AND r.at <= since AND r.profile_id = me;
    INSERT INTO rate_events (bucket, at, turn_id, profile_id) VALUES (of_bucket, at_time, new_turn, me);
    IF of_key IS NOT NULL THEN
        DELETE FROM idempotency_keys k WHERE k.profile_id = me AND k.created_at < forget;
        INSERT INTO idempotency_keys (profile_id, route, key, fingerprint, turn_id, created_at)
            VALUES (me, of_route, of_key, print, new_turn, at_time)
            ON CONFLICT (profile_id, route, key) DO UPDATE SET turn_id = excluded.turn_id;
    END IF;
END
$$;

-- What a worker reports, under its lease. The rest of the transaction acts as the person of the turn. `held_first`
-- is locked before the turn, as everywhere: nobody waits in a circle.
CREATE FUNCTION fd.step(of_turn uuid, held bigint, held_first bigint, at_time timestamptz,
        positions bigint[], events text[],
        calls text[], tools text[], hashes text[], outcomes text[], approvers uuid[])
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
        WHERE turns.id = of_turn RETURNING turns.conversation_id, turns.scope_id, turns.profile_id INTO t;
    INSERT INTO journal (turn_id, position, conversation_id, scope_id, epoch, event)
        SELECT of_turn, e.position, t.conversation_id, t.scope_id, held, e.event::json
        FROM unnest(positions, events) AS e (position, event);
    IF cardinality(calls) > 0 THEN
        INSERT INTO audit_log (at, profile_id, scope_id, conversation_id, turn_id, call_id, tool, arguments_hash,
                outcome, approver)
            SELECT at_time, t.profile_id, t.scope_id, t.conversation_id, of_turn, a.call, a.tool, a.hash, a.outcome,
                a.approver
            FROM unnest(calls, tools, hashes, outcomes, approvers) AS a (call, tool, hash, outcome, approver);
    END IF;
END
$$;

-- The end of a turn, under its lease: its last report, its lines, what it used and how it ended.
CREATE FUNCTION fd.finish(of_turn uuid, held bigint, held_first bigint, at_time timestamptz,
        positions bigint[], events text[],
        calls text[], tools text[], hashes text[], outcomes text[], approvers uuid[],
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
        RETURNING turns.conversation_id, turns.scope_id, turns.profile_id INTO t;
    INSERT INTO journal (turn_id, position, conversation_id, scope_id, epoch, event)
        SELECT of_turn, e.position, t.conversation_id, t.scope_id, held, e.event::json
        FROM unnest(positions, events) AS e (position, event);
    IF cardinality(calls) > 0 THEN
        INSERT INTO audit_log (at, profile_id, scope_id, conversation_id, turn_id, call_id, tool, arguments_hash,
                outcome, approver)
            SELECT at_time, t.profile_id, t.scope_id, t.conversation_id, of_turn, a.call, a.tool, a.hash, a.outcome,
                a.approver
            FROM unnest(calls, tools, hashes, outcomes, approvers) AS a (call, tool, hash, outcome, approver);
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

GRANT CREATE ON SCHEMA fd TO fd_keeper;
DO $own$
DECLARE
    f regprocedure;
BEGIN
    FOR f IN SELECT p.oid::regprocedure FROM pg_proc p
        WHERE p.pronamespace = 'fd'::regnamespace AND p.proname IN ('look', 'open_turn', 'step', 'finish') LOOP
        EXECUTE format('ALTER FUNCTION %s OWNER TO fd_keeper', f);
        EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', f);
        EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO %I', f, fd.app_role());
    END LOOP;
END
$own$;
REVOKE CREATE ON SCHEMA fd FROM fd_keeper;

-- The functions decide; the policies of people would ask the same again for every table of every step.
DO $keeper$
DECLARE
    t text;
BEGIN
    CREATE POLICY keeper_reads ON idempotency_keys FOR SELECT TO fd_keeper USING (true);
    FOREACH t IN ARRAY ARRAY['messages', 'turns', 'rate_events', 'idempotency_keys', 'usage_days'] LOOP
        EXECUTE format('CREATE POLICY keeper_adds ON %I FOR INSERT TO fd_keeper WITH CHECK (true)', t);
    END LOOP;
    FOREACH t IN ARRAY ARRAY['conversations', 'idempotency_keys', 'usage_days'] LOOP
        EXECUTE format('CREATE POLICY keeper_changes ON %I FOR UPDATE TO fd_keeper USING (true) WITH CHECK (true)', t);
    END LOOP;
    FOREACH t IN ARRAY ARRAY['rate_events', 'idempotency_keys'] LOOP
        EXECUTE format('CREATE POLICY keeper_removes ON %I FOR DELETE TO fd_keeper USING (true)', t);
    END LOOP;
END
$keeper$;
GRANT SELECT ON messages, idempotency_keys TO fd_keeper;
GRANT INSERT ON messages, turns, rate_events, idempotency_keys, usage_days TO fd_keeper;
GRANT UPDATE (message_count, last_message_at, updated_at, next_seq, floor_seq, text_count, file_count, progress)
    ON conversations TO fd_keeper;
GRANT UPDATE (agent_message_id, input_tokens, output_tokens, cached_tokens, usage_estimated) ON turns TO fd_keeper;
GRANT UPDATE (turn_id) ON idempotency_keys TO fd_keeper;
GRANT UPDATE (turns, input_tokens, output_tokens, cached_tokens, estimated_turns) ON usage_days TO fd_keeper;
GRANT DELETE ON rate_events, idempotency_keys TO fd_keeper;
