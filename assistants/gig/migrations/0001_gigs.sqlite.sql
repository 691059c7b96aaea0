-- Gigs, their responses and what became of them. `scope_id` is the workspace, which is a company.

CREATE TABLE gigs (
    id                 TEXT PRIMARY KEY,
    workspace_id       TEXT NOT NULL REFERENCES companies(id) ON DELETE CASCADE,
    scope_id TEXT NOT NULL GENERATED ALWAYS AS (workspace_id) STORED,
    title              TEXT NOT NULL CHECK (length(title) BETWEEN 1 AND 500),
    description        TEXT,
    requirements       TEXT,
    type               TEXT NOT NULL DEFAULT 'OTHER' CHECK (type IN ('DEVELOPMENT', 'DESIGN', 'COPYWRITING', 'MARKETING', 'TRANSLATION', 'VIDEO', 'AUDIO', 'DATA_ENTRY', 'RESEARCH', 'CONSULTING', 'OTHER')),
    budget_min         INTEGER CHECK (budget_min >= 0),
    budget_max         INTEGER CHECK (budget_max >= 0),
    budget_currency    TEXT NOT NULL DEFAULT 'RUB',
    deadline           INTEGER,
    estimated_duration TEXT CHECK (length(estimated_duration) <= 100),
    source             TEXT NOT NULL DEFAULT 'MANUAL' CHECK (source IN ('MANUAL', 'KWORK', 'FL_RU', 'WEBLANCER', 'UPWORK', 'FREELANCE_RU', 'WEB_LINK')),
    external_id        TEXT,
    url                TEXT,
    views              INTEGER NOT NULL DEFAULT 0,
    responses          INTEGER NOT NULL DEFAULT 0,
    new_responses      INTEGER NOT NULL DEFAULT 0,
    custom_bot_instructions         TEXT CHECK (length(custom_bot_instructions) <= 5000),
    custom_screening_prompt         TEXT CHECK (length(custom_screening_prompt) <= 5000),
    custom_interview_questions      TEXT CHECK (length(custom_interview_questions) <= 5000),
    custom_organizational_questions TEXT CHECK (length(custom_organizational_questions) <= 5000),
    is_active          INTEGER NOT NULL DEFAULT 1,
    created_at         INTEGER NOT NULL,
    updated_at         INTEGER NOT NULL,
    -- Rises with every change to the gig or to anything about its candidates: what was read under
    -- one version is right for as long as the version stays.
    version            INTEGER NOT NULL DEFAULT 1,
    UNIQUE (id, scope_id)
) STRICT;
CREATE INDEX idx_gigs_workspace_id ON gigs(workspace_id, created_at DESC, id DESC);

CREATE TABLE gig_responses (
    id                     TEXT PRIMARY KEY,
    gig_id                 TEXT NOT NULL,
    scope_id               TEXT NOT NULL,
    candidate_id           TEXT NOT NULL CHECK (length(candidate_id) BETWEEN 1 AND 100),
    candidate_name         TEXT CHECK (length(candidate_name) <= 500),
    profile_url            TEXT,
    telegram_username      TEXT,
    phone                  TEXT,
    email                  TEXT,
    resume_language        TEXT,
    proposed_price         INTEGER CHECK (proposed_price >= 0),
    proposed_currency      TEXT NOT NULL DEFAULT 'RUB',
    proposed_delivery_days INTEGER CHECK (proposed_delivery_days >= 0),
    cover_letter           TEXT,
    portfolio_links        TEXT,
    experience             TEXT,
    skills                 TEXT,
    rating                 TEXT CHECK (length(rating) <= 20),
    status                 TEXT NOT NULL DEFAULT 'NEW' CHECK (status IN ('NEW', 'EVALUATED', 'INTERVIEW', 'NEGOTIATION', 'COMPLETED', 'SKIPPED')),
    hr_selection_status    TEXT CHECK (hr_selection_status IN ('INVITE', 'RECOMMENDED', 'NOT_RECOMMENDED', 'REJECTED', 'SELECTED', 'CONTRACT_SENT', 'IN_PROGRESS', 'DONE')),
    import_source          TEXT NOT NULL DEFAULT 'MANUAL' CHECK (import_source IN ('MANUAL', 'KWORK', 'FL_RU', 'WEBLANCER', 'UPWORK', 'FREELANCE_RU', 'WEB_LINK')),
    responded_at           INTEGER NOT NULL,
    composite_score        REAL CHECK (composite_score BETWEEN 0 AND 100),
    price_score            REAL CHECK (price_score BETWEEN 0 AND 100),
    delivery_score         REAL CHECK (delivery_score BETWEEN 0 AND 100),
    skills_match_score     REAL CHECK (skills_match_score BETWEEN 0 AND 100),
    experience_score       REAL CHECK (experience_score BETWEEN 0 AND 100),
    ranking_position       INTEGER,
    ranking_analysis       TEXT,
    candidate_summary      TEXT,
    strengths              TEXT,
    weaknesses             TEXT,
    recommendation         TEXT CHECK (recommendation IN ('HIGHLY_RECOMMENDED', 'RECOMMENDED', 'NEUTRAL', 'NOT_RECOMMENDED')),
    ranked_at              INTEGER,
    created_at             INTEGER NOT NULL,
    updated_at             INTEGER NOT NULL,
    UNIQUE (gig_id, candidate_id),
    UNIQUE (id, scope_id),
    FOREIGN KEY (gig_id, scope_id) REFERENCES gigs(id, scope_id) ON DELETE CASCADE
) STRICT;

-- `score` is of 5 here and of 100 in an interview.
CREATE TABLE gig_response_screenings (
    response_id       TEXT PRIMARY KEY,
    scope_id          TEXT NOT NULL,
    score             REAL CHECK (score BETWEEN 0 AND 5),
    detailed_score    REAL CHECK (detailed_score BETWEEN 0 AND 100),
    analysis          TEXT,
    price_analysis    TEXT,
    delivery_analysis TEXT,
    created_at        INTEGER NOT NULL,
    FOREIGN KEY (response_id, scope_id) REFERENCES gig_responses(id, scope_id) ON DELETE CASCADE
) STRICT;

CREATE TABLE interview_scorings (
    interview_session_id TEXT PRIMARY KEY,
    response_id          TEXT NOT NULL,
    scope_id             TEXT NOT NULL,
    score                REAL CHECK (score BETWEEN 0 AND 100),
    rating               REAL CHECK (rating BETWEEN 0 AND 5),
    analysis             TEXT,
    created_at           INTEGER NOT NULL,
    FOREIGN KEY (response_id, scope_id) REFERENCES gig_responses(id, scope_id) ON DELETE CASCADE
) STRICT;
CREATE INDEX idx_interview_scorings_response_id ON interview_scorings(response_id, created_at);

-- One chat for each gig and person.
CREATE UNIQUE INDEX gig_chat_session_gig_idx ON conversations(subject, user_id) WHERE assistant = 'gig' AND subject IS NOT NULL;
CREATE INDEX gig_chat_session_user_idx ON conversations(user_id) WHERE assistant = 'gig' AND subject IS NOT NULL;
CREATE TRIGGER gig_responses_insert_changes_gig AFTER INSERT ON gig_responses BEGIN
    UPDATE gigs SET version = version + 1 WHERE id = NEW.gig_id;
END;
CREATE TRIGGER gig_responses_update_changes_gig AFTER UPDATE ON gig_responses BEGIN
    UPDATE gigs SET version = version + 1 WHERE id = NEW.gig_id;
END;
CREATE TRIGGER gig_responses_delete_changes_gig AFTER DELETE ON gig_responses BEGIN
    UPDATE gigs SET version = version + 1 WHERE id = OLD.gig_id;
END;
CREATE TRIGGER gig_response_screenings_insert_changes_gig AFTER INSERT ON gig_response_screenings BEGIN
    UPDATE gigs SET version = version + 1 WHERE id = (SELECT r.gig_id FROM gig_responses r WHERE r.id = NEW.response_id);
END;
CREATE TRIGGER gig_response_screenings_update_changes_gig AFTER UPDATE ON gig_response_screenings BEGIN
    UPDATE gigs SET version = version + 1 WHERE id = (SELECT r.gig_id FROM gig_responses r WHERE r.id = NEW.response_id);
END;
CREATE TRIGGER gig_response_screenings_delete_changes_gig AFTER DELETE ON gig_response_screenings BEGIN
    UPDATE gigs SET version = version + 1 WHERE id = (SELECT r.gig_id FROM gig_responses r WHERE r.id = OLD.response_id);
END;
CREATE TRIGGER interview_scorings_insert_changes_gig AFTER INSERT ON interview_scorings BEGIN
    UPDATE gigs SET version = version + 1 WHERE id = (SELECT r.gig_id FROM gig_responses r WHERE r.id = NEW.response_id);
END;
CREATE TRIGGER interview_scorings_update_changes_gig AFTER UPDATE ON interview_scorings BEGIN
    UPDATE gigs SET version = version + 1 WHERE id = (SELECT r.gig_id FROM gig_responses r WHERE r.id = NEW.response_id);
END;
CREATE TRIGGER interview_scorings_delete_changes_gig AFTER DELETE ON interview_scorings BEGIN
    UPDATE gigs SET version = version + 1 WHERE id = (SELECT r.gig_id FROM gig_responses r WHERE r.id = OLD.response_id);
END;
CREATE TRIGGER gigs_update_changes_gig AFTER UPDATE OF title, description, requirements, type, budget_min, budget_max,
    budget_currency, deadline, estimated_duration, custom_bot_instructions, is_active ON gigs BEGIN
    UPDATE gigs SET version = version + 1 WHERE id = NEW.id;
END;

CREATE VIEW workspace_members AS
    SELECT m.profile_id AS user_id, m.company_id AS workspace_id, m.role FROM company_members m;

CREATE VIEW gig_chat_sessions AS
    SELECT c.id, g.id AS gig_id, c.user_id, c.message_count, c.last_message_at, c.created_at, c.updated_at
    FROM conversations c JOIN gigs g ON g.id = c.subject WHERE c.assistant = 'gig';

CREATE VIEW gig_chat_messages AS
    SELECT m.id, m.conversation_id AS session_id, m.role, m.content,
        json_extract(m.metadata, '$.quick_replies') AS quick_replies,
        json_object('tokensUsed', json_extract(m.metadata, '$.tokens_used'),
            'latencyMs', json_extract(m.metadata, '$.latency_ms'),
            'candidatesMentioned', json_extract(m.metadata, '$.candidatesMentioned')) AS metadata,
        m.created_at
    FROM messages m JOIN gig_chat_sessions s ON s.id = m.conversation_id
    WHERE m.part = 'said' AND m.role IN ('user', 'assistant');
