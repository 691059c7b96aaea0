-- People's own affairs: invitations that can be answered, opinions on answers, and what was used.

-- The address that the issuer vouches for, as the claims of this transaction carry it.
CREATE FUNCTION fd.email() RETURNS text
    LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT lower(nullif(nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'email', ''))
$$;

ALTER TABLE invitations ADD COLUMN role text NOT NULL DEFAULT 'member' CHECK (role IN ('admin', 'member'));
-- Whoever is invited does not see the company itself yet.
ALTER TABLE invitations ADD COLUMN company_name text NOT NULL DEFAULT '';
-- The token itself is in the link that was sent, and nowhere else.
ALTER TABLE invitations ADD COLUMN token_hash text;
ALTER TABLE invitations ADD COLUMN answered_at timestamptz;
CREATE UNIQUE INDEX idx_invitations_token_hash ON invitations(token_hash);
CREATE UNIQUE INDEX idx_invitations_open ON invitations(company_id, email) WHERE status = 'pending';

CREATE TABLE message_feedback (
    message_id      uuid NOT NULL REFERENCES messages(id) ON DELETE CASCADE,
    profile_id      uuid NOT NULL REFERENCES profiles(id) ON DELETE CASCADE,
    conversation_id uuid NOT NULL,
    scope_id        uuid NOT NULL,
    rating          text NOT NULL CHECK (rating IN ('up', 'down')),
    comment         text,
    created_at      timestamptz NOT NULL,
    updated_at      timestamptz NOT NULL,
    PRIMARY KEY (message_id, profile_id),
    FOREIGN KEY (conversation_id, scope_id) REFERENCES conversations(id, scope_id) ON DELETE CASCADE
);

-- Ids without references: what was used stays used when a conversation is erased.
CREATE TABLE usage_days (
    profile_id    uuid NOT NULL,
    day           bigint NOT NULL,
    scope_id      uuid NOT NULL,
    company_id    uuid,
    assistant     text NOT NULL,
    turns         bigint NOT NULL,
    input_tokens  bigint NOT NULL,
    output_tokens bigint NOT NULL,
    cached_tokens bigint NOT NULL,
    PRIMARY KEY (profile_id, day, scope_id, assistant)
);
CREATE INDEX idx_usage_days_scope_id ON usage_days(scope_id, day);
CREATE INDEX idx_audit_log_scope_id ON audit_log(scope_id, id DESC);

ALTER TABLE message_feedback ENABLE ROW LEVEL SECURITY;
ALTER TABLE message_feedback FORCE ROW LEVEL SECURITY;
ALTER TABLE usage_days ENABLE ROW LEVEL SECURITY;
ALTER TABLE usage_days FORCE ROW LEVEL SECURITY;

-- An invitation is also seen by whom it is addressed to: the issuer's word counts, not the profile's.
ALTER POLICY invitations_select ON invitations USING (
    company_id IN (SELECT fd.companies()) OR email = (SELECT fd.email()));

-- Everyone has an opinion of their own, on what they can see.
CREATE POLICY message_feedback_select ON message_feedback FOR SELECT USING (
    profile_id = (SELECT fd.profile()));
CREATE POLICY message_feedback_insert ON message_feedback FOR INSERT WITH CHECK (
    profile_id = (SELECT fd.profile()) AND EXISTS (SELECT 1 FROM messages m
        WHERE m.id = message_feedback.message_id AND m.conversation_id = message_feedback.conversation_id
        AND m.scope_id = message_feedback.scope_id));
CREATE POLICY message_feedback_update ON message_feedback FOR UPDATE
    USING (profile_id = (SELECT fd.profile())) WITH CHECK (profile_id = (SELECT fd.profile()));
CREATE POLICY message_feedback_delete ON message_feedback FOR DELETE USING (
    profile_id = (SELECT fd.profile()));

-- What was used is counted by the person's own turns, read by them, by those who run the company and
-- by the operator, and never taken back.
CREATE POLICY usage_days_select ON usage_days FOR SELECT USING (
    profile_id = (SELECT fd.profile()) OR scope_id IN (SELECT fd.administered())
    OR 'Operator' = ANY ((SELECT fd.roles())::text[]));
CREATE POLICY usage_days_insert ON usage_days FOR INSERT WITH CHECK (profile_id = (SELECT fd.profile()));
CREATE POLICY usage_days_update ON usage_days FOR UPDATE
    USING (profile_id = (SELECT fd.profile())) WITH CHECK (profile_id = (SELECT fd.profile()));
CREATE POLICY usage_days_delete ON usage_days FOR DELETE USING (false);

-- Those who run a company see what was attempted in it.
ALTER POLICY audit_log_select ON audit_log USING (
    profile_id = (SELECT fd.profile()) OR scope_id IN (SELECT fd.administered())
    OR 'Operator' = ANY ((SELECT fd.roles())::text[]));

CREATE OR REPLACE FUNCTION fd.exists(kind text, id uuid) RETURNS boolean
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT CASE $1
        WHEN 'conversation' THEN EXISTS (SELECT 1 FROM conversations c WHERE c.id = $2)
        WHEN 'turn' THEN EXISTS (SELECT 1 FROM turns t WHERE t.id = $2)
        WHEN 'attachment' THEN EXISTS (SELECT 1 FROM attachments a WHERE a.id = $2)
        WHEN 'message' THEN EXISTS (SELECT 1 FROM messages m WHERE m.id = $2)
        WHEN 'company' THEN EXISTS (SELECT 1 FROM companies c WHERE c.id = $2)
        WHEN 'profile' THEN EXISTS (SELECT 1 FROM profiles p WHERE p.id = $2)
        WHEN 'invitation' THEN EXISTS (SELECT 1 FROM invitations i WHERE i.id = $2)
        ELSE false
    END
$$;

-- Makes a company of the caller's.
CREATE FUNCTION fd.found_company(company uuid, called text, at_time timestamptz) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    founder uuid := fd.profile();
BEGIN
    IF founder IS NULL THEN
        RAISE EXCEPTION 'only somebody with a profile founds a company'
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    INSERT INTO companies (id, name, owner_id, created_at) VALUES (company, called, founder, at_time);
    INSERT INTO company_members (company_id, profile_id, role, joined_at)
        VALUES (company, founder, 'owner', at_time);
END
$$;

-- Answers an invitation that is addressed to the caller, once and in time. Whether it was so.
CREATE FUNCTION fd.answer_invitation(invitation uuid, how text, at_time timestamptz) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    me uuid := fd.profile();
    i invitations%ROWTYPE;
BEGIN
    UPDATE invitations SET status = how, answered_at = at_time
        WHERE id = invitation AND status = 'pending' AND expires_at > at_time
        AND email = fd.email() AND me IS NOT NULL AND how IN ('accepted', 'declined')
        RETURNING * INTO i;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    IF how = 'accepted' THEN
        INSERT INTO company_members (company_id, profile_id, role, joined_at)
            VALUES (i.company_id, me, i.role, at_time) ON CONFLICT (company_id, profile_id) DO NOTHING;
    END IF;
    RETURN true;
END
$$;

-- Tokens used in one of the caller's scopes on a day, whoever used them.
CREATE FUNCTION fd.spent(scope uuid, on_day bigint) RETURNS bigint
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    RETURN (SELECT coalesce(sum(u.input_tokens + u.output_tokens), 0)::bigint FROM usage_days u
        WHERE u.scope_id = scope AND u.day = on_day AND scope IN (SELECT fd.scopes()));
END
$$;

-- Turns in one of the caller's companies that run at this moment, whoever opened them.
CREATE FUNCTION fd.at_work(company uuid) RETURNS bigint
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    RETURN (SELECT count(*) FROM turns t WHERE t.state = 'running' AND t.scope_id = company
        AND company IN (SELECT fd.companies()));
END
$$;
CREATE INDEX idx_turns_scope_id ON turns(scope_id) WHERE state = 'running';

-- fd_keeper owns what acts for it, and may create nothing else.
GRANT USAGE, CREATE ON SCHEMA fd TO fd_keeper;
ALTER FUNCTION fd.found_company(uuid, text, timestamptz) OWNER TO fd_keeper;
ALTER FUNCTION fd.answer_invitation(uuid, text, timestamptz) OWNER TO fd_keeper;
ALTER FUNCTION fd.spent(uuid, bigint) OWNER TO fd_keeper;
ALTER FUNCTION fd.at_work(uuid) OWNER TO fd_keeper;
REVOKE CREATE ON SCHEMA fd FROM fd_keeper;

CREATE POLICY keeper_reads ON invitations FOR SELECT TO fd_keeper USING (true);
CREATE POLICY keeper_changes ON invitations FOR UPDATE TO fd_keeper USING (true) WITH CHECK (true);
CREATE POLICY keeper_reads ON messages FOR SELECT TO fd_keeper USING (true);
CREATE POLICY keeper_reads ON usage_days FOR SELECT TO fd_keeper USING (true);
GRANT SELECT ON invitations, usage_days TO fd_keeper;
GRANT SELECT (id) ON messages TO fd_keeper;
GRANT UPDATE (status, answered_at) ON invitations TO fd_keeper;

REVOKE ALL ON FUNCTION fd.email(), fd.found_company(uuid, text, timestamptz),
    fd.answer_invitation(uuid, text, timestamptz), fd.spent(uuid, bigint), fd.at_work(uuid) FROM PUBLIC;
DO $grants$
DECLARE
    app text := fd.app_role();
BEGIN
    EXECUTE format('GRANT EXECUTE ON FUNCTION fd.email(), fd.found_company(uuid, text, timestamptz),
        fd.answer_invitation(uuid, text, timestamptz), fd.spent(uuid, bigint), fd.at_work(uuid)
        TO %I, fd_keeper', app);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON message_feedback TO %I', app);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE ON usage_days TO %I', app);
END
$grants$;
