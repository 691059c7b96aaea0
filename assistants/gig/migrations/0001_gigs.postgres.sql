-- Gigs, their responses and what became of them. `scope_id` is the workspace, which is a company.

CREATE TABLE gigs (
    id                 uuid PRIMARY KEY,
    workspace_id       uuid NOT NULL REFERENCES companies(id) ON DELETE CASCADE,
    scope_id uuid NOT NULL GENERATED ALWAYS AS (workspace_id) STORED,
    title              text NOT NULL CHECK (length(title) BETWEEN 1 AND 500),
    description        text,
    requirements       json,
    type               text NOT NULL DEFAULT 'OTHER' CHECK (type IN ('DEVELOPMENT', 'DESIGN', 'COPYWRITING', 'MARKETING', 'TRANSLATION', 'VIDEO', 'AUDIO', 'DATA_ENTRY', 'RESEARCH', 'CONSULTING', 'OTHER')),
    budget_min         bigint CHECK (budget_min >= 0),
    budget_max         bigint CHECK (budget_max >= 0),
    budget_currency    text NOT NULL DEFAULT 'RUB',
    deadline           timestamptz,
    estimated_duration text CHECK (length(estimated_duration) <= 100),
    source             text NOT NULL DEFAULT 'MANUAL' CHECK (source IN ('MANUAL', 'KWORK', 'FL_RU', 'WEBLANCER', 'UPWORK', 'FREELANCE_RU', 'WEB_LINK')),
    external_id        text,
    url                text,
    views              bigint NOT NULL DEFAULT 0,
    responses          bigint NOT NULL DEFAULT 0,
    new_responses      bigint NOT NULL DEFAULT 0,
    custom_bot_instructions         text CHECK (length(custom_bot_instructions) <= 5000),
    custom_screening_prompt         text CHECK (length(custom_screening_prompt) <= 5000),
    custom_interview_questions      text CHECK (length(custom_interview_questions) <= 5000),
    custom_organizational_questions text CHECK (length(custom_organizational_questions) <= 5000),
    is_active          boolean NOT NULL DEFAULT true,
    created_at         timestamptz NOT NULL,
    updated_at         timestamptz NOT NULL,
    -- Rises with every change to the gig or to anything about its candidates: what was read under
    -- one version is right for as long as the version stays.
    version            bigint NOT NULL DEFAULT 1,
    changed_in         bigint,
    UNIQUE (id, scope_id)
);
CREATE INDEX idx_gigs_workspace_id ON gigs(workspace_id, created_at DESC, id DESC);

CREATE TABLE gig_responses (
    id                     uuid PRIMARY KEY,
    gig_id                 uuid NOT NULL,
    scope_id               uuid NOT NULL,
    candidate_id           text NOT NULL CHECK (length(candidate_id) BETWEEN 1 AND 100),
    candidate_name         text CHECK (length(candidate_name) <= 500),
    profile_url            text,
    telegram_username      text,
    phone                  text,
    email                  text,
    resume_language        text,
    proposed_price         bigint CHECK (proposed_price >= 0),
    proposed_currency      text NOT NULL DEFAULT 'RUB',
    proposed_delivery_days bigint CHECK (proposed_delivery_days >= 0),
    cover_letter           text,
    portfolio_links        json,
    experience             text,
    skills                 json,
    rating                 text CHECK (length(rating) <= 20),
    status                 text NOT NULL DEFAULT 'NEW' CHECK (status IN ('NEW', 'EVALUATED', 'INTERVIEW', 'NEGOTIATION', 'COMPLETED', 'SKIPPED')),
    hr_selection_status    text CHECK (hr_selection_status IN ('INVITE', 'RECOMMENDED', 'NOT_RECOMMENDED', 'REJECTED', 'SELECTED', 'CONTRACT_SENT', 'IN_PROGRESS', 'DONE')),
    import_source          text NOT NULL DEFAULT 'MANUAL' CHECK (import_source IN ('MANUAL', 'KWORK', 'FL_RU', 'WEBLANCER', 'UPWORK', 'FREELANCE_RU', 'WEB_LINK')),
    responded_at           timestamptz NOT NULL,
    composite_score        double precision CHECK (composite_score BETWEEN 0 AND 100),
    price_score            double precision CHECK (price_score BETWEEN 0 AND 100),
    delivery_score         double precision CHECK (delivery_score BETWEEN 0 AND 100),
    skills_match_score     double precision CHECK (skills_match_score BETWEEN 0 AND 100),
    experience_score       double precision CHECK (experience_score BETWEEN 0 AND 100),
    ranking_position       bigint,
    ranking_analysis       text,
    candidate_summary      text,
    strengths              json,
    weaknesses             json,
    recommendation         text CHECK (recommendation IN ('HIGHLY_RECOMMENDED', 'RECOMMENDED', 'NEUTRAL', 'NOT_RECOMMENDED')),
    ranked_at              timestamptz,
    created_at             timestamptz NOT NULL,
    updated_at             timestamptz NOT NULL,
    UNIQUE (gig_id, candidate_id),
    UNIQUE (id, scope_id),
    FOREIGN KEY (gig_id, scope_id) REFERENCES gigs(id, scope_id) ON DELETE CASCADE
);

-- `score` is of 5 here and of 100 in an interview.
CREATE TABLE gig_response_screenings (
    response_id       uuid PRIMARY KEY,
    scope_id          uuid NOT NULL,
    score             double precision CHECK (score BETWEEN 0 AND 5),
    detailed_score    double precision CHECK (detailed_score BETWEEN 0 AND 100),
    analysis          text,
    price_analysis    text,
    delivery_analysis text,
    created_at        timestamptz NOT NULL,
    FOREIGN KEY (response_id, scope_id) REFERENCES gig_responses(id, scope_id) ON DELETE CASCADE
);

CREATE TABLE interview_scorings (
    interview_session_id uuid PRIMARY KEY,
    response_id          uuid NOT NULL,
    scope_id             uuid NOT NULL,
    score                double precision CHECK (score BETWEEN 0 AND 100),
    rating               double precision CHECK (rating BETWEEN 0 AND 5),
    analysis             text,
    created_at           timestamptz NOT NULL,
    FOREIGN KEY (response_id, scope_id) REFERENCES gig_responses(id, scope_id) ON DELETE CASCADE
);
CREATE INDEX idx_interview_scorings_response_id ON interview_scorings(response_id, created_at);

-- One chat for each gig and person.
CREATE UNIQUE INDEX gig_chat_session_gig_idx ON conversations(subject, user_id) WHERE assistant = 'gig' AND subject IS NOT NULL;
CREATE INDEX gig_chat_session_user_idx ON conversations(user_id) WHERE assistant = 'gig' AND subject IS NOT NULL;

-- Once in a transaction, however many rows it touches.
CREATE FUNCTION fd.gig_changed(gig uuid) RETURNS void
    LANGUAGE sql VOLATILE SET search_path = public, pg_temp AS $$
    UPDATE gigs SET version = version + 1, changed_in = txid_current()
        WHERE id = gig AND changed_in IS DISTINCT FROM txid_current()
$$;
CREATE FUNCTION fd.gig_response_changed() RETURNS trigger
    LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    PERFORM fd.gig_changed(CASE tg_op WHEN 'DELETE' THEN OLD.gig_id ELSE NEW.gig_id END);
    RETURN NULL;
END
$$;
CREATE FUNCTION fd.gig_score_changed() RETURNS trigger
    LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    PERFORM fd.gig_changed((SELECT r.gig_id FROM gig_responses r
        WHERE r.id = CASE tg_op WHEN 'DELETE' THEN OLD.response_id ELSE NEW.response_id END));
    RETURN NULL;
END
$$;
CREATE FUNCTION fd.gig_itself_changed() RETURNS trigger
    LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    NEW.version := OLD.version + 1;
    RETURN NEW;
END
$$;
CREATE TRIGGER gig_responses_change_gig AFTER INSERT OR UPDATE OR DELETE ON gig_responses
    FOR EACH ROW EXECUTE FUNCTION fd.gig_response_changed();
CREATE TRIGGER gig_response_screenings_change_gig AFTER INSERT OR UPDATE OR DELETE ON gig_response_screenings
    FOR EACH ROW EXECUTE FUNCTION fd.gig_score_changed();
CREATE TRIGGER interview_scorings_change_gig AFTER INSERT OR UPDATE OR DELETE ON interview_scorings
    FOR EACH ROW EXECUTE FUNCTION fd.gig_score_changed();
CREATE TRIGGER gigs_change BEFORE UPDATE OF title, description, requirements, type, budget_min, budget_max,
    budget_currency, deadline, estimated_duration, custom_bot_instructions, is_active ON gigs
    FOR EACH ROW EXECUTE FUNCTION fd.gig_itself_changed();

-- Members of the workspace see and keep its gigs; nobody else learns anything.
DO $policies$
DECLARE
    t text;
BEGIN
    FOREACH t IN ARRAY ARRAY['gigs', 'gig_responses', 'gig_response_screenings', 'interview_scorings'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
        EXECUTE format('CREATE POLICY %I ON %I FOR SELECT USING (scope_id IN (SELECT fd.companies()))', t || '_select', t);
        EXECUTE format('CREATE POLICY %I ON %I FOR INSERT WITH CHECK (scope_id IN (SELECT fd.companies()))', t || '_insert', t);
        EXECUTE format('CREATE POLICY %I ON %I FOR UPDATE USING (scope_id IN (SELECT fd.companies()))
            WITH CHECK (scope_id IN (SELECT fd.companies()))', t || '_update', t);
        EXECUTE format('CREATE POLICY %I ON %I FOR DELETE USING (scope_id IN (SELECT fd.administered()))', t || '_delete', t);
        EXECUTE format('CREATE POLICY keeper_reads ON %I FOR SELECT TO fd_keeper USING (true)', t);
        PERFORM fd.grant_to_app('SELECT, INSERT, UPDATE, DELETE', t::regclass);
    END LOOP;
END
$policies$;

-- Tells a gig that exists and is foreign from one that is not there; nothing else is told.
CREATE FUNCTION fd.gig_exists(gig uuid) RETURNS boolean
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT EXISTS (SELECT 1 FROM gigs g WHERE g.id = gig)
$$;
GRANT SELECT (id) ON gigs TO fd_keeper;
GRANT CREATE ON SCHEMA fd TO fd_keeper;
ALTER FUNCTION fd.gig_exists(uuid) OWNER TO fd_keeper;
REVOKE CREATE ON SCHEMA fd FROM fd_keeper;
REVOKE ALL ON FUNCTION fd.gig_exists(uuid), fd.gig_changed(uuid), fd.gig_response_changed(), fd.gig_score_changed(),
    fd.gig_itself_changed() FROM PUBLIC;
DO $grants$
BEGIN
    EXECUTE format('GRANT EXECUTE ON FUNCTION fd.gig_exists(uuid), fd.gig_changed(uuid), fd.gig_response_changed(),
        fd.gig_score_changed(), fd.gig_itself_changed() TO %I', fd.app_role());
END
$grants$;

-- Views show each person what they may see of the tables.
CREATE VIEW workspace_members WITH (security_invoker = true) AS
    SELECT m.profile_id AS user_id, m.company_id AS workspace_id, m.role FROM company_members m;

CREATE VIEW gig_chat_sessions WITH (security_invoker = true) AS
    SELECT c.id, g.id AS gig_id, c.user_id::text AS user_id, c.message_count, c.last_message_at, c.created_at, c.updated_at
    FROM conversations c JOIN gigs g ON g.id::text = c.subject WHERE c.assistant = 'gig';

CREATE VIEW gig_chat_messages WITH (security_invoker = true) AS
    SELECT m.id, m.conversation_id AS session_id, m.role, m.content,
        m.metadata -> 'quick_replies' AS quick_replies,
        jsonb_strip_nulls(jsonb_build_object('tokensUsed', m.metadata -> 'tokens_used',
            'latencyMs', m.metadata -> 'latency_ms',
            'candidatesMentioned', m.metadata -> 'candidatesMentioned')) AS metadata,
        m.created_at
    FROM messages m JOIN gig_chat_sessions s ON s.id = m.conversation_id
    WHERE m.part = 'said' AND m.role IN ('user', 'assistant');

SELECT fd.grant_to_app('SELECT', 'workspace_members');
SELECT fd.grant_to_app('SELECT', 'gig_chat_sessions');
SELECT fd.grant_to_app('SELECT', 'gig_chat_messages');
