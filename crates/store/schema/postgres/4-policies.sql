-- Row-level security: who may see and change which rows, whatever the application asks for.
-- Each table has one policy for each verb; what nobody may do says so.

DO $enable$
DECLARE
    t text;
BEGIN
    FOREACH t IN ARRAY ARRAY['profiles', 'companies', 'company_members', 'invitations',
        'conversations', 'messages', 'texts', 'turns', 'journal', 'approvals', 'artifacts',
        'attachments', 'idempotency_keys', 'rate_events', 'audit_log'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    END LOOP;
END
$enable$;

-- People and companies.
CREATE POLICY profiles_select ON profiles FOR SELECT USING (
    user_id = (SELECT auth.uid()) OR id IN (SELECT fd.colleagues()));
CREATE POLICY profiles_insert ON profiles FOR INSERT WITH CHECK (user_id = (SELECT auth.uid()));
CREATE POLICY profiles_update ON profiles FOR UPDATE
    USING (user_id = (SELECT auth.uid())) WITH CHECK (user_id = (SELECT auth.uid()));
CREATE POLICY profiles_delete ON profiles FOR DELETE USING (user_id = (SELECT auth.uid()));

CREATE POLICY companies_select ON companies FOR SELECT USING (id IN (SELECT fd.companies()));
CREATE POLICY companies_insert ON companies FOR INSERT WITH CHECK (owner_id = (SELECT fd.profile()));
CREATE POLICY companies_update ON companies FOR UPDATE
    USING (owner_id = (SELECT fd.profile())) WITH CHECK (owner_id = (SELECT fd.profile()));
CREATE POLICY companies_delete ON companies FOR DELETE USING (owner_id = (SELECT fd.profile()));

CREATE POLICY company_members_select ON company_members FOR SELECT USING (
    company_id IN (SELECT fd.companies()));
CREATE POLICY company_members_insert ON company_members FOR INSERT WITH CHECK (
    company_id IN (SELECT fd.administered()) AND role <> 'owner');
CREATE POLICY company_members_update ON company_members FOR UPDATE
    USING (company_id IN (SELECT fd.administered()) AND role <> 'owner')
    WITH CHECK (company_id IN (SELECT fd.administered()) AND role <> 'owner');
CREATE POLICY company_members_delete ON company_members FOR DELETE USING (role <> 'owner'
    AND (company_id IN (SELECT fd.administered()) OR profile_id = (SELECT fd.profile())));

CREATE POLICY invitations_select ON invitations FOR SELECT USING (
    company_id IN (SELECT fd.companies())
    OR email = (SELECT p.email FROM profiles p WHERE p.user_id = (SELECT auth.uid())));
CREATE POLICY invitations_insert ON invitations FOR INSERT WITH CHECK (
    company_id IN (SELECT fd.administered()) AND invited_by = (SELECT fd.profile()));
CREATE POLICY invitations_update ON invitations FOR UPDATE
    USING (company_id IN (SELECT fd.administered())) WITH CHECK (company_id IN (SELECT fd.administered()));
CREATE POLICY invitations_delete ON invitations FOR DELETE USING (
    company_id IN (SELECT fd.administered()));

-- A conversation is its owner's, and its company's.
CREATE POLICY conversations_select ON conversations FOR SELECT USING (
    user_id = (SELECT fd.profile()) OR company_id IN (SELECT fd.companies()));
CREATE POLICY conversations_insert ON conversations FOR INSERT WITH CHECK (
    user_id = (SELECT fd.profile())
    AND (company_id IS NULL OR company_id IN (SELECT fd.companies())));
CREATE POLICY conversations_update ON conversations FOR UPDATE
    USING (user_id = (SELECT fd.profile()) OR company_id IN (SELECT fd.companies()))
    WITH CHECK (user_id = (SELECT fd.profile()) OR company_id IN (SELECT fd.companies()));
CREATE POLICY conversations_delete ON conversations FOR DELETE USING (
    user_id = (SELECT fd.profile()));

-- What is in a conversation is seen by those who see the conversation, added in its scope alone,
-- and erased by its owner.
DO $inside$
DECLARE
    t text;
    sees text := 'EXISTS (SELECT 1 FROM conversations c WHERE c.id = %1$I.conversation_id)';
    fits text := 'EXISTS (SELECT 1 FROM conversations c WHERE c.id = %1$I.conversation_id '
        'AND c.scope_id = %1$I.scope_id)';
    owns text := 'EXISTS (SELECT 1 FROM conversations c WHERE c.id = %1$I.conversation_id '
        'AND c.user_id = (SELECT fd.profile()))';
BEGIN
    FOREACH t IN ARRAY ARRAY['messages', 'texts', 'turns', 'journal', 'approvals', 'artifacts',
        'attachments'] LOOP
        IF t <> 'approvals' THEN
            EXECUTE format('CREATE POLICY %1$I_select ON %1$I FOR SELECT USING (' || sees || ')', t);
        END IF;
        IF t <> 'turns' THEN
            EXECUTE format('CREATE POLICY %1$I_insert ON %1$I FOR INSERT WITH CHECK (' || fits || ')', t);
        END IF;
        EXECUTE format('CREATE POLICY %1$I_delete ON %1$I FOR DELETE USING (' || owns || ')', t);
    END LOOP;
    FOREACH t IN ARRAY ARRAY['messages', 'turns', 'attachments'] LOOP
        EXECUTE format('CREATE POLICY %1$I_update ON %1$I FOR UPDATE USING (' || sees
            || ') WITH CHECK (' || fits || ')', t);
    END LOOP;
    FOREACH t IN ARRAY ARRAY['texts', 'journal', 'artifacts'] LOOP
        EXECUTE format('CREATE POLICY %1$I_update ON %1$I FOR UPDATE USING (false) WITH CHECK (false)', t);
    END LOOP;
END
$inside$;

-- Nobody opens a turn in another person's name.
CREATE POLICY turns_insert ON turns FOR INSERT WITH CHECK (
    profile_id = (SELECT fd.profile()) AND subject = (SELECT auth.uid())
    AND EXISTS (SELECT 1 FROM conversations c WHERE c.id = turns.conversation_id
        AND c.scope_id = turns.scope_id));

-- A card is also seen and decided by those it is addressed to.
CREATE POLICY approvals_select ON approvals FOR SELECT USING (
    EXISTS (SELECT 1 FROM conversations c WHERE c.id = approvals.conversation_id)
    OR (for_roles AND (company_id IS NULL OR company_id IN (SELECT fd.companies()))
        AND EXISTS (SELECT 1 FROM json_array_elements_text(card -> 'approvers') AS approver
            WHERE approver = ANY ((SELECT fd.roles())::text[]))));
CREATE POLICY approvals_update ON approvals FOR UPDATE
    USING (decision IS NULL AND (
        EXISTS (SELECT 1 FROM conversations c WHERE c.id = approvals.conversation_id)
        OR (for_roles AND (company_id IS NULL OR company_id IN (SELECT fd.companies()))
            AND EXISTS (SELECT 1 FROM json_array_elements_text(card -> 'approvers') AS approver
                WHERE approver = ANY ((SELECT fd.roles())::text[])))))
    WITH CHECK (decided_by = (SELECT fd.profile()) OR (decision = 'expired' AND decided_by IS NULL));

-- Keys and rates are each person's own.
CREATE POLICY idempotency_keys_select ON idempotency_keys FOR SELECT USING (
    profile_id = (SELECT fd.profile()));
CREATE POLICY idempotency_keys_insert ON idempotency_keys FOR INSERT WITH CHECK (
    profile_id = (SELECT fd.profile()));
CREATE POLICY idempotency_keys_update ON idempotency_keys FOR UPDATE
    USING (profile_id = (SELECT fd.profile())) WITH CHECK (profile_id = (SELECT fd.profile()));
CREATE POLICY idempotency_keys_delete ON idempotency_keys FOR DELETE USING (
    profile_id = (SELECT fd.profile()));

CREATE POLICY rate_events_select ON rate_events FOR SELECT USING (profile_id = (SELECT fd.profile()));
CREATE POLICY rate_events_insert ON rate_events FOR INSERT WITH CHECK (
    profile_id = (SELECT fd.profile()));
CREATE POLICY rate_events_update ON rate_events FOR UPDATE USING (false) WITH CHECK (false);
CREATE POLICY rate_events_delete ON rate_events FOR DELETE USING (profile_id = (SELECT fd.profile()));

-- The audit is read by its person and the operator, and only ever added to.
CREATE POLICY audit_log_select ON audit_log FOR SELECT USING (
    profile_id = (SELECT fd.profile()) OR 'Operator' = ANY ((SELECT fd.roles())::text[]));
CREATE POLICY audit_log_insert ON audit_log FOR INSERT WITH CHECK (
    profile_id = (SELECT fd.profile())
    OR EXISTS (SELECT 1 FROM conversations c WHERE c.id = audit_log.conversation_id));
CREATE POLICY audit_log_update ON audit_log FOR UPDATE USING (false) WITH CHECK (false);
CREATE POLICY audit_log_delete ON audit_log FOR DELETE USING (false);

-- What the functions of fd_keeper need, and no more. It sees every conversation, and so, by the
-- policies above, what is inside; its grants say what it may touch there.
CREATE POLICY keeper_reads ON profiles FOR SELECT TO fd_keeper USING (true);
CREATE POLICY keeper_reads ON companies FOR SELECT TO fd_keeper USING (true);
CREATE POLICY keeper_reads ON company_members FOR SELECT TO fd_keeper USING (true);
CREATE POLICY keeper_reads ON conversations FOR SELECT TO fd_keeper USING (true);
CREATE POLICY keeper_reads ON rate_events FOR SELECT TO fd_keeper USING (true);
CREATE POLICY keeper_adds ON companies FOR INSERT TO fd_keeper WITH CHECK (true);
CREATE POLICY keeper_adds ON company_members FOR INSERT TO fd_keeper WITH CHECK (true);
CREATE POLICY keeper_changes ON company_members FOR UPDATE TO fd_keeper USING (true) WITH CHECK (true);
CREATE POLICY keeper_removes ON company_members FOR DELETE TO fd_keeper USING (true);

GRANT USAGE ON SCHEMA public, auth TO fd_keeper;
GRANT SELECT ON profiles, companies, company_members, conversations, turns, approvals, rate_events TO fd_keeper;
GRANT SELECT (id) ON attachments TO fd_keeper;
GRANT INSERT ON companies, company_members, journal, audit_log TO fd_keeper;
GRANT UPDATE (role), DELETE ON company_members TO fd_keeper;
GRANT UPDATE (state, outcome, position, epoch, node, lease_until, deadline, paused_at, ended_at)
    ON turns TO fd_keeper;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA fd FROM PUBLIC;
DO $grants$
DECLARE
    app text := fd.app_role();
BEGIN
    EXECUTE format('GRANT USAGE ON SCHEMA fd, auth, public TO %I, fd_worker', app);
    EXECUTE format('GRANT EXECUTE ON FUNCTION fd.profile(), fd.companies(), fd.administered(),
        fd.colleagues(), fd.roles(), fd.exists(text, uuid), fd.blocked_by(text, timestamptz, bigint),
        fd.hold(uuid, bigint), fd.guard_title(),
        fd.decided(uuid, timestamptz, text, text, text, text, uuid, text, timestamptz) TO %I, fd_keeper', app);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON profiles, companies, company_members,
        invitations, idempotency_keys TO %I', app);
    EXECUTE format('GRANT SELECT, INSERT, DELETE ON conversations, messages, texts, turns, journal,
        approvals, artifacts, attachments, rate_events TO %I', app);
    EXECUTE format('GRANT UPDATE (subject, title, phase, metadata, progress, message_count,
        last_message_at, next_seq, floor_seq, text_count, file_count, updated_at) ON conversations TO %I', app);
    EXECUTE format('GRANT UPDATE (turn_id, metadata) ON messages TO %I', app);
    EXECUTE format('GRANT UPDATE (opening, agent_message_id, state, outcome, position, epoch, node,
        lease_until, deadline, paused_at, cancel_requested, input_tokens, output_tokens, cached_tokens,
        usage_estimated, ended_at) ON turns TO %I', app);
    EXECUTE format('GRANT UPDATE (decision, decided_by, reason, decided_at) ON approvals TO %I', app);
    EXECUTE format('GRANT UPDATE (number) ON attachments TO %I', app);
    EXECUTE format('GRANT SELECT, INSERT ON audit_log TO %I', app);
    GRANT EXECUTE ON FUNCTION fd.claim(text, timestamptz, timestamptz),
        fd.interrupt(uuid, bigint, text, timestamptz, text),
        fd.ensure_company(uuid, text, uuid, timestamptz),
        fd.add_member(uuid, uuid, text, timestamptz), fd.remove_member(uuid, uuid) TO fd_worker;
END
$grants$;
