-- What a person pinned or put into the archive: their own view of conversations that they see.
CREATE TABLE conversation_marks (
    profile_id      uuid NOT NULL REFERENCES profiles(id) ON DELETE CASCADE,
    conversation_id uuid NOT NULL,
    scope_id        uuid NOT NULL,
    pinned          boolean NOT NULL,
    archived        boolean NOT NULL,
    PRIMARY KEY (profile_id, conversation_id),
    FOREIGN KEY (conversation_id, scope_id) REFERENCES conversations(id, scope_id) ON DELETE CASCADE
);

-- A conversation that its owner shows to one colleague or to the members of a company, for reading.
CREATE TABLE conversation_shares (
    id              uuid PRIMARY KEY,
    conversation_id uuid NOT NULL,
    scope_id        uuid NOT NULL,
    created_by      uuid NOT NULL REFERENCES profiles(id) ON DELETE CASCADE,
    profile_id      uuid REFERENCES profiles(id) ON DELETE CASCADE,
    company_id      uuid REFERENCES companies(id) ON DELETE CASCADE,
    created_at      timestamptz NOT NULL,
    expires_at      timestamptz NOT NULL,
    CHECK ((profile_id IS NULL) <> (company_id IS NULL)),
    FOREIGN KEY (conversation_id, scope_id) REFERENCES conversations(id, scope_id) ON DELETE CASCADE
);
CREATE INDEX idx_conversation_shares_conversation_id ON conversation_shares(conversation_id, created_at);

-- Tokens with which a person's programs act for them. Only a hash is stored.
CREATE TABLE api_tokens (
    id         uuid PRIMARY KEY,
    profile_id uuid NOT NULL REFERENCES profiles(id) ON DELETE CASCADE,
    scope_id   uuid NOT NULL GENERATED ALWAYS AS (profile_id) STORED,
    name       text NOT NULL,
    hash       text NOT NULL UNIQUE,
    identity   json NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL
);
CREATE INDEX idx_api_tokens_profile_id ON api_tokens(profile_id, created_at);

DO $enable$
DECLARE
    t text;
BEGIN
    FOREACH t IN ARRAY ARRAY['conversation_marks', 'conversation_shares', 'api_tokens'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    END LOOP;
END
$enable$;

CREATE POLICY conversation_marks_select ON conversation_marks FOR SELECT USING (profile_id = (SELECT fd.profile()));
CREATE POLICY conversation_marks_insert ON conversation_marks FOR INSERT WITH CHECK (profile_id = (SELECT fd.profile())
    AND EXISTS (SELECT 1 FROM conversations c WHERE c.id = conversation_marks.conversation_id
        AND c.scope_id = conversation_marks.scope_id));
CREATE POLICY conversation_marks_update ON conversation_marks FOR UPDATE
    USING (profile_id = (SELECT fd.profile())) WITH CHECK (profile_id = (SELECT fd.profile()));
CREATE POLICY conversation_marks_delete ON conversation_marks FOR DELETE USING (profile_id = (SELECT fd.profile()));

-- Only its owner shows a conversation; who may read it asks fd.shared_conversation.
CREATE POLICY conversation_shares_select ON conversation_shares FOR SELECT USING (created_by = (SELECT fd.profile()));
CREATE POLICY conversation_shares_insert ON conversation_shares FOR INSERT WITH CHECK (created_by = (SELECT fd.profile())
    AND EXISTS (SELECT 1 FROM conversations c WHERE c.id = conversation_shares.conversation_id
        AND c.scope_id = conversation_shares.scope_id AND c.user_id = conversation_shares.created_by));
CREATE POLICY conversation_shares_update ON conversation_shares FOR UPDATE USING (false) WITH CHECK (false);
CREATE POLICY conversation_shares_delete ON conversation_shares FOR DELETE USING (created_by = (SELECT fd.profile()));

CREATE POLICY api_tokens_select ON api_tokens FOR SELECT USING (profile_id = (SELECT fd.profile()));
CREATE POLICY api_tokens_insert ON api_tokens FOR INSERT WITH CHECK (profile_id = (SELECT fd.profile()));
CREATE POLICY api_tokens_update ON api_tokens FOR UPDATE USING (false) WITH CHECK (false);
CREATE POLICY api_tokens_delete ON api_tokens FOR DELETE USING (profile_id = (SELECT fd.profile()));

CREATE POLICY keeper_reads ON conversation_shares FOR SELECT TO fd_keeper USING (true);
CREATE POLICY keeper_reads ON api_tokens FOR SELECT TO fd_keeper USING (true);
GRANT SELECT ON conversation_shares, api_tokens TO fd_keeper;

-- The conversation behind a link, for whom it is meant: the colleague, or a member of the company, while the person who
-- shared it sees it and is in that company as well.
CREATE FUNCTION fd.shared_conversation(of_share uuid, at_time timestamptz)
    RETURNS TABLE (conversation_id uuid, title text, assistant text, shared_by text, expires_at timestamptz)
    LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 1 SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
    me uuid;
BEGIN
    SELECT p.id INTO me FROM profiles p WHERE p.user_id = fd.uid();
    RETURN QUERY SELECT c.id, c.title, c.assistant, p.display_name, s.expires_at
        FROM conversation_shares s JOIN conversations c ON c.id = s.conversation_id
        JOIN profiles p ON p.id = s.created_by
        WHERE s.id = of_share AND s.expires_at > at_time
        AND ((c.company_id IS NULL AND c.user_id = s.created_by) OR c.company_id IN (
            SELECT m.company_id FROM company_members m WHERE m.profile_id = s.created_by))
        AND EXISTS (SELECT 1 FROM company_members a JOIN company_members b ON b.company_id = a.company_id
            WHERE a.profile_id = me AND b.profile_id = s.created_by
            AND (s.profile_id = me OR s.company_id = a.company_id));
END
$$;

-- What is shown of it, newest first.
CREATE FUNCTION fd.shared_messages(of_share uuid, at_time timestamptz, most bigint)
    RETURNS TABLE (role text, content text, created_at timestamptz, author text)
    LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 50 SET search_path = public, pg_temp AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY SELECT m.role, m.content, m.created_at,
            (SELECT p.display_name FROM turns t JOIN profiles p ON p.id = t.profile_id
                WHERE t.user_message_id = m.id ORDER BY t.started_at, t.id LIMIT 1)
        FROM fd.shared_conversation(of_share, at_time) s JOIN messages m ON m.conversation_id = s.conversation_id
        WHERE m.part = 'said' AND m.aside IS NULL
        ORDER BY m.seq DESC LIMIT most;
END
$$;

-- The identity behind a token, for signing in.
CREATE FUNCTION fd.token_identity(of_hash text, at_time timestamptz) RETURNS TABLE (identity text, expires_at timestamptz)
    LANGUAGE sql STABLE SECURITY DEFINER ROWS 1 SET search_path = public, pg_temp AS $$
    SELECT t.identity::text, t.expires_at FROM api_tokens t WHERE t.hash = of_hash AND t.expires_at > at_time
$$;

GRANT CREATE ON SCHEMA fd TO fd_keeper;
ALTER FUNCTION fd.shared_conversation(uuid, timestamptz) OWNER TO fd_keeper;
ALTER FUNCTION fd.shared_messages(uuid, timestamptz, bigint) OWNER TO fd_keeper;
ALTER FUNCTION fd.token_identity(text, timestamptz) OWNER TO fd_keeper;
REVOKE CREATE ON SCHEMA fd FROM fd_keeper;
REVOKE ALL ON FUNCTION fd.shared_conversation(uuid, timestamptz), fd.shared_messages(uuid, timestamptz, bigint),
    fd.token_identity(text, timestamptz) FROM PUBLIC;
DO $grants$
BEGIN
    EXECUTE format('GRANT EXECUTE ON FUNCTION fd.shared_conversation(uuid, timestamptz),
        fd.shared_messages(uuid, timestamptz, bigint) TO %I, fd_keeper', fd.app_role());
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON conversation_marks TO %I', fd.app_role());
    EXECUTE format('GRANT SELECT, INSERT, DELETE ON conversation_shares, api_tokens TO %I', fd.app_role());
END
$grants$;
-- Whoever signs in is not known yet.
GRANT EXECUTE ON FUNCTION fd.token_identity(text, timestamptz) TO fd_worker, fd_keeper;
