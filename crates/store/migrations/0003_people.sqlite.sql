-- People's own affairs: invitations that can be answered, opinions on answers, and what was used.

ALTER TABLE invitations ADD COLUMN role TEXT NOT NULL DEFAULT 'member' CHECK (role IN ('admin', 'member'));
-- Whoever is invited does not see the company itself yet.
ALTER TABLE invitations ADD COLUMN company_name TEXT NOT NULL DEFAULT '';
-- The token itself is in the link that was sent, and nowhere else.
ALTER TABLE invitations ADD COLUMN token_hash TEXT;
ALTER TABLE invitations ADD COLUMN answered_at INTEGER;
CREATE UNIQUE INDEX idx_invitations_token_hash ON invitations(token_hash);
CREATE UNIQUE INDEX idx_invitations_open ON invitations(company_id, email) WHERE status = 'pending';

CREATE TABLE message_feedback (
    message_id      TEXT NOT NULL REFERENCES messages(id) ON DELETE CASCADE,
    profile_id      TEXT NOT NULL REFERENCES profiles(id) ON DELETE CASCADE,
    conversation_id TEXT NOT NULL REFERENCES conversations(id) ON DELETE CASCADE,
    scope_id        TEXT NOT NULL,
    rating          TEXT NOT NULL CHECK (rating IN ('up', 'down')),
    comment         TEXT,
    created_at      INTEGER NOT NULL,
    updated_at      INTEGER NOT NULL,
    PRIMARY KEY (message_id, profile_id)
) STRICT;

-- Ids without references: what was used stays used when a conversation is erased.
CREATE TABLE usage_days (
    profile_id    TEXT NOT NULL,
    day           INTEGER NOT NULL,
    scope_id      TEXT NOT NULL,
    company_id    TEXT,
    assistant     TEXT NOT NULL,
    turns         INTEGER NOT NULL,
    input_tokens  INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    cached_tokens INTEGER NOT NULL,
    PRIMARY KEY (profile_id, day, scope_id, assistant)
) STRICT;
CREATE INDEX idx_usage_days_scope_id ON usage_days(scope_id, day);
CREATE INDEX idx_turns_scope_id ON turns(scope_id) WHERE state = 'running';
CREATE INDEX idx_audit_log_scope_id ON audit_log(scope_id, id DESC);
