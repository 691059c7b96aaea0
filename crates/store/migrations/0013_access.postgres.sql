-- Access follows the present. A company's conversation is open to the people who are members now; having begun it
-- gives no right. One about a subject is open to its own person alone, while they are a member of the subject's
-- company. A conversation without a company is its owner's.

CREATE INDEX idx_conversations_shared ON conversations(company_id, updated_at DESC, id DESC)
    WHERE subject IS NULL;

-- The caller's companies that they own.
CREATE FUNCTION fd.owned() RETURNS SETOF uuid
    LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 4 SET search_path = public, pg_temp AS $$
BEGIN
    RETURN QUERY SELECT m.company_id FROM company_members m JOIN profiles p ON p.id = m.profile_id
        WHERE p.user_id = fd.uid() AND m.role = 'owner';
END
$$;

-- Checks a worker's lease and lets the rest of the transaction act as the person of the turn.
CREATE OR REPLACE FUNCTION fd.hold(turn uuid, held bigint) RETURNS void
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
            AND ((c.company_id IS NULL AND c.subject IS NULL AND c.user_id = t.profile_id)
            OR ((c.subject IS NULL OR c.user_id = t.profile_id) AND c.company_id IN (
                SELECT m.company_id FROM company_members m WHERE m.profile_id = t.profile_id)))) THEN
        RAISE EXCEPTION 'the person of this turn has no access any more'
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    PERFORM set_config('request.jwt.claims',
        json_build_object('sub', t.subject, 'role', 'authenticated')::text, true);
END
$$;

-- Renews many leases at once: `[{"turn", "epoch", "until"}]`. Those that are not in the answer were
-- lost; `allowed` says whether the person of the turn still has access.
CREATE OR REPLACE FUNCTION fd.renew(leases text)
    RETURNS TABLE (turn_id uuid, epoch bigint, cancel_requested boolean, allowed boolean)
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    WITH asked AS (SELECT a.turn, a.epoch, a.until
            FROM json_to_recordset(leases::json) AS a (turn uuid, epoch bigint, until timestamptz)),
        held AS (SELECT t.id, asked.until FROM turns t JOIN asked ON asked.turn = t.id AND asked.epoch = t.epoch
            WHERE t.state = 'running' ORDER BY t.id FOR NO KEY UPDATE OF t)
    UPDATE turns t SET lease_until = held.until FROM held WHERE t.id = held.id
    RETURNING t.id, t.epoch, t.cancel_requested, EXISTS (SELECT 1 FROM conversations c WHERE c.id = t.conversation_id
        AND ((c.company_id IS NULL AND c.subject IS NULL AND c.user_id = t.profile_id)
            OR ((c.subject IS NULL OR c.user_id = t.profile_id) AND c.company_id IN (
                SELECT m.company_id FROM company_members m WHERE m.profile_id = t.profile_id))))
$$;

-- What decides about a message, behind the locks that keep others from deciding at the same moment: each statement
-- of a function like this one sees what was committed before it. No row where the caller has no access.
CREATE OR REPLACE FUNCTION fd.look(locks bigint[], of_conversation uuid, of_bucket text, since timestamptz, place bigint,
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
        WHERE c.id = of_conversation AND ((c.company_id IS NULL AND c.subject IS NULL AND c.user_id = me)
            OR ((c.subject IS NULL OR c.user_id = me) AND c.company_id IN (
                SELECT m.company_id FROM company_members m WHERE m.profile_id = me)));
END
$$;

-- Opens a turn of the caller's: its lines, its first event, and what is counted of it.
CREATE OR REPLACE FUNCTION fd.open_turn(of_conversation uuid, new_turn uuid, at_time timestamptz, who text, how text,
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
        WHERE c.id = of_conversation AND ((c.company_id IS NULL AND c.subject IS NULL AND c.user_id = me)
            OR ((c.subject IS NULL OR c.user_id = me) AND c.company_id IN (
                SELECT m.company_id FROM company_members m WHERE m.profile_id = me)))
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

-- Whoever comes into a conversation, and the conversation, once for each of their companies. Who is asking is found out
-- once, from the claims, and what the policies check is checked here; no row where the caller has no access.
CREATE OR REPLACE FUNCTION fd.enter(of_conversation uuid)
    RETURNS TABLE (id uuid, user_id uuid, company_id uuid, assistant text, subject text, title text, phase text,
        metadata jsonb, progress jsonb, message_count bigint, last_message_at timestamptz, created_at timestamptz,
        updated_at timestamptz, profile_id uuid, display_name text, email text, member_of uuid, standing text)
    LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 2 SET search_path = public, pg_temp AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY SELECT c.id, c.user_id, c.company_id, c.assistant, c.subject, c.title, c.phase,
            c.metadata, c.progress, c.message_count, c.last_message_at, c.created_at, c.updated_at,
            p.id, p.display_name, p.email, m.company_id, m.role
        FROM profiles p CROSS JOIN conversations c
        LEFT JOIN company_members m ON m.profile_id = p.id
        WHERE p.user_id = fd.uid() AND c.id = of_conversation AND ((c.company_id IS NULL AND c.subject IS NULL AND c.user_id = p.id)
            OR ((c.subject IS NULL OR c.user_id = p.id) AND c.company_id IN (
                SELECT o.company_id FROM company_members o WHERE o.profile_id = p.id)))
        ORDER BY m.company_id;
END
$$;

-- Erases what was said in a conversation, for its owner alone; documents stay. A turn that still runs keeps its row.
CREATE OR REPLACE FUNCTION fd.clear(conversation uuid) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF NOT EXISTS (SELECT 1 FROM conversations c WHERE c.id = conversation AND c.user_id = fd.profile()
            AND (c.company_id IS NULL OR c.company_id IN (SELECT fd.companies()))) THEN
        RAISE EXCEPTION 'only its owner clears a conversation' USING ERRCODE = 'insufficient_privilege';
    END IF;
    DELETE FROM messages m WHERE m.conversation_id = conversation;
    DELETE FROM texts t WHERE t.conversation_id = conversation;
    DELETE FROM attachments a WHERE a.conversation_id = conversation;
    DELETE FROM turns t WHERE t.conversation_id = conversation
        AND t.state NOT IN ('running', 'awaiting_approval');
    DELETE FROM approvals a WHERE a.turn_id IN (SELECT t.id FROM turns t WHERE t.conversation_id = conversation);
    DELETE FROM journal j WHERE j.turn_id IN (SELECT t.id FROM turns t WHERE t.conversation_id = conversation);
END
$$;

-- Gives a company's conversation to another of its members; for its present owner, who is a member, and for the
-- company's owner.
CREATE FUNCTION fd.reassign(conversation uuid, heir uuid, at_time timestamptz) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    UPDATE conversations c SET user_id = heir, updated_at = at_time
        WHERE c.id = conversation AND c.subject IS NULL AND c.company_id IN (SELECT fd.companies())
        AND (c.user_id = fd.profile() OR c.company_id IN (SELECT fd.owned()))
        AND EXISTS (SELECT 1 FROM company_members m WHERE m.company_id = c.company_id AND m.profile_id = heir);
    IF NOT FOUND THEN
        RAISE EXCEPTION 'only an owner gives a conversation away, and only to a member'
            USING ERRCODE = 'insufficient_privilege';
    END IF;
END
$$;

ALTER POLICY conversations_select ON conversations USING (
    (company_id IS NULL AND subject IS NULL AND user_id = (SELECT fd.profile()))
    OR ((subject IS NULL OR user_id = (SELECT fd.profile())) AND company_id IN (SELECT fd.companies())));
ALTER POLICY conversations_insert ON conversations WITH CHECK (
    user_id = (SELECT fd.profile())
    AND ((company_id IS NULL AND subject IS NULL) OR company_id IN (SELECT fd.companies())));
ALTER POLICY conversations_update ON conversations
    USING ((company_id IS NULL AND subject IS NULL AND user_id = (SELECT fd.profile()))
        OR ((subject IS NULL OR user_id = (SELECT fd.profile())) AND company_id IN (SELECT fd.companies())))
    WITH CHECK ((company_id IS NULL AND subject IS NULL AND user_id = (SELECT fd.profile()))
        OR ((subject IS NULL OR user_id = (SELECT fd.profile())) AND company_id IN (SELECT fd.companies())));
-- Its owner while they may see it, and the company's owner.
ALTER POLICY conversations_delete ON conversations USING (
    (user_id = (SELECT fd.profile()) AND (company_id IS NULL OR company_id IN (SELECT fd.companies())))
    OR (subject IS NULL AND company_id IN (SELECT fd.owned())));

-- The contents of a conversation follow the conversation: its row is looked up under the policy above. The scope
-- comes first, because it is the cheaper question.
DO $inside$
DECLARE
    t text;
    sees text;
BEGIN
    FOREACH t IN ARRAY ARRAY['messages', 'texts', 'turns', 'journal', 'approvals', 'artifacts', 'attachments'] LOOP
        sees := format('scope_id IN (SELECT fd.scopes())
            AND EXISTS (SELECT 1 FROM conversations c WHERE c.id = %I.conversation_id)', t);
        IF t <> 'approvals' THEN
            EXECUTE format('ALTER POLICY %I ON %I USING (%s)', t || '_select', t, sees);
        END IF;
        IF t <> 'turns' THEN
            EXECUTE format('ALTER POLICY %I ON %I WITH CHECK (%s)', t || '_insert', t, sees);
        END IF;
        IF t IN ('messages', 'turns', 'attachments') THEN
            EXECUTE format('ALTER POLICY %I ON %I USING (%s) WITH CHECK (%s)', t || '_update', t, sees, sees);
        END IF;
    END LOOP;
END
$inside$;
ALTER POLICY turns_insert ON turns WITH CHECK (
    profile_id = (SELECT fd.profile()) AND subject = (SELECT auth.uid())
    AND scope_id IN (SELECT fd.scopes())
    AND EXISTS (SELECT 1 FROM conversations c WHERE c.id = turns.conversation_id));
ALTER POLICY approvals_select ON approvals USING (
    (scope_id IN (SELECT fd.scopes())
        AND EXISTS (SELECT 1 FROM conversations c WHERE c.id = approvals.conversation_id))
    OR (for_roles AND fd.addressed(company_id, card)));
ALTER POLICY approvals_update ON approvals
    USING (decision IS NULL AND (
        (scope_id IN (SELECT fd.scopes())
            AND EXISTS (SELECT 1 FROM conversations c WHERE c.id = approvals.conversation_id))
        OR (for_roles AND fd.addressed(company_id, card))));
DROP FUNCTION fd.left_behind();

GRANT UPDATE (user_id) ON conversations TO fd_keeper;
GRANT CREATE ON SCHEMA fd TO fd_keeper;
ALTER FUNCTION fd.owned() OWNER TO fd_keeper;
ALTER FUNCTION fd.reassign(uuid, uuid, timestamptz) OWNER TO fd_keeper;
REVOKE CREATE ON SCHEMA fd FROM fd_keeper;
REVOKE ALL ON FUNCTION fd.owned(), fd.reassign(uuid, uuid, timestamptz) FROM PUBLIC;
DO $grants$
BEGIN
    EXECUTE format('GRANT EXECUTE ON FUNCTION fd.owned(), fd.reassign(uuid, uuid, timestamptz) TO %I, fd_keeper',
        fd.app_role());
END
$grants$;
