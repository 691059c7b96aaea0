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

-- What is in a conversation is seen and added to by those who see the conversation. Its scope is
-- the conversation's (a foreign key sees to that), so asking for the scope is enough, and costs the
-- same however many conversations there are. Only fd.clear, or the end of the conversation, erases.
DO $inside$
DECLARE
    t text;
    sees text := 'scope_id IN (SELECT fd.scopes()) OR conversation_id IN (SELECT fd.left_behind())';
BEGIN
    FOREACH t IN ARRAY ARRAY['messages', 'texts', 'turns', 'journal', 'approvals', 'artifacts',
        'attachments'] LOOP
        IF t <> 'approvals' THEN
            EXECUTE format('CREATE POLICY %1$I ON %2$I FOR SELECT USING (' || sees || ')', t || '_select', t);
        END IF;
        IF t <> 'turns' THEN
            EXECUTE format('CREATE POLICY %1$I ON %2$I FOR INSERT WITH CHECK (' || sees || ')', t || '_insert', t);
        END IF;
        EXECUTE format('CREATE POLICY %1$I ON %2$I FOR DELETE USING (false)', t || '_delete', t);
    END LOOP;
    FOREACH t IN ARRAY ARRAY['messages', 'turns', 'attachments'] LOOP
        EXECUTE format('CREATE POLICY %1$I ON %2$I FOR UPDATE USING (' || sees || ') WITH CHECK (' || sees || ')',
            t || '_update', t);
    END LOOP;
    FOREACH t IN ARRAY ARRAY['texts', 'journal', 'artifacts'] LOOP
        EXECUTE format('CREATE POLICY %1$I ON %2$I FOR UPDATE USING (false) WITH CHECK (false)', t || '_update', t);
    END LOOP;
END
$inside$;

-- Nobody opens a turn in another person's name.
CREATE POLICY turns_insert ON turns FOR INSERT WITH CHECK (
    profile_id = (SELECT fd.profile()) AND subject = (SELECT auth.uid())
    AND (scope_id IN (SELECT fd.scopes()) OR conversation_id IN (SELECT fd.left_behind())));

-- A card is also seen and decided by those it is addressed to.
CREATE FUNCTION fd.addressed(company uuid, card json) RETURNS boolean
    LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT (company IS NULL OR company IN (SELECT fd.companies()))
        AND EXISTS (SELECT 1 FROM json_array_elements_text(card -> 'approvers') AS approver
            WHERE approver = ANY (fd.roles()))
$$;
CREATE POLICY approvals_select ON approvals FOR SELECT USING (
    scope_id IN (SELECT fd.scopes()) OR conversation_id IN (SELECT fd.left_behind())
    OR (for_roles AND fd.addressed(company_id, card)));
CREATE POLICY approvals_update ON approvals FOR UPDATE
    USING (decision IS NULL AND (
        scope_id IN (SELECT fd.scopes()) OR conversation_id IN (SELECT fd.left_behind())
        OR (for_roles AND fd.addressed(company_id, card))))
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
    -- Who stops a colleague's turn writes down what became of its cards.
    OR EXISTS (SELECT 1 FROM turns t WHERE t.id = audit_log.turn_id AND t.profile_id = audit_log.profile_id));
CREATE POLICY audit_log_update ON audit_log FOR UPDATE USING (false) WITH CHECK (false);
CREATE POLICY audit_log_delete ON audit_log FOR DELETE USING (false);

-- What the functions of fd_keeper need beyond the policies above, and no more.
DO $keeper$
DECLARE
    t text;
BEGIN
    FOREACH t IN ARRAY ARRAY['profiles', 'companies', 'company_members', 'conversations', 'turns',
        'approvals', 'attachments', 'rate_events', 'journal'] LOOP
        EXECUTE format('CREATE POLICY keeper_reads ON %I FOR SELECT TO fd_keeper USING (true)', t);
    END LOOP;
    FOREACH t IN ARRAY ARRAY['companies', 'company_members', 'journal'] LOOP
        EXECUTE format('CREATE POLICY keeper_adds ON %I FOR INSERT TO fd_keeper WITH CHECK (true)', t);
    END LOOP;
    FOREACH t IN ARRAY ARRAY['company_members', 'turns'] LOOP
        EXECUTE format('CREATE POLICY keeper_changes ON %I FOR UPDATE TO fd_keeper USING (true) WITH CHECK (true)', t);
    END LOOP;
    FOREACH t IN ARRAY ARRAY['company_members', 'messages', 'texts', 'artifacts', 'attachments', 'turns',
        'journal', 'approvals'] LOOP
        EXECUTE format('CREATE POLICY keeper_removes ON %I FOR DELETE TO fd_keeper USING (true)', t);
    END LOOP;
END
$keeper$;

GRANT USAGE ON SCHEMA public, auth TO fd_keeper;
GRANT SELECT ON profiles, companies, company_members, conversations, turns, journal, approvals, rate_events
    TO fd_keeper;
GRANT SELECT (id, conversation_id) ON attachments TO fd_keeper;
GRANT SELECT (conversation_id) ON messages, texts, artifacts TO fd_keeper;
GRANT INSERT ON companies, company_members, journal, audit_log TO fd_keeper;
GRANT UPDATE (role) ON company_members TO fd_keeper;
GRANT UPDATE (state, outcome, position, epoch, node, lease_until, deadline, paused_at, ended_at)
    ON turns TO fd_keeper;
GRANT DELETE ON company_members, messages, texts, artifacts, attachments, turns, journal, approvals TO fd_keeper;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA fd FROM PUBLIC;
DO $grants$
DECLARE
    app text := fd.app_role();
BEGIN
    EXECUTE format('GRANT USAGE ON SCHEMA fd, auth, public TO %I, fd_worker', app);
    EXECUTE format('GRANT EXECUTE ON FUNCTION fd.profile(), fd.companies(), fd.administered(),
        fd.colleagues(), fd.scopes(), fd.left_behind(), fd.roles(), fd.addressed(uuid, json),
        fd.clear(uuid), fd.exists(text, uuid), fd.blocked_by(text, timestamptz, bigint),
        fd.hold(uuid, bigint), fd.recorded(uuid, bigint, bigint, text), fd.guard_title(),
        fd.decided(uuid, timestamptz, text, text, text, text, uuid, text, timestamptz) TO %I, fd_keeper', app);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON profiles, companies, company_members,
        invitations, idempotency_keys TO %I', app);
    EXECUTE format('GRANT SELECT, INSERT, DELETE ON conversations, rate_events TO %I', app);
    EXECUTE format('GRANT SELECT, INSERT ON messages, texts, turns, journal, approvals, artifacts,
        attachments TO %I', app);
    EXECUTE format('GRANT UPDATE (title, phase, metadata, progress, message_count,
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
