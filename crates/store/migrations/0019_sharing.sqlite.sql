-- What a person pinned or put into the archive: their own view of conversations that they see.
CREATE TABLE conversation_marks (
    profile_id      TEXT NOT NULL REFERENCES profiles(id) ON DELETE CASCADE,
    conversation_id TEXT NOT NULL REFERENCES conversations(id) ON DELETE CASCADE,
    scope_id        TEXT NOT NULL,
    pinned          INTEGER NOT NULL,
    archived        INTEGER NOT NULL,
    PRIMARY KEY (profile_id, conversation_id)
) STRICT;

-- A conversation that its owner shows to one colleague or to the members of a company, for reading.
CREATE TABLE conversation_shares (
    id              TEXT PRIMARY KEY,
    conversation_id TEXT NOT NULL REFERENCES conversations(id) ON DELETE CASCADE,
    scope_id        TEXT NOT NULL,
    created_by      TEXT NOT NULL REFERENCES profiles(id) ON DELETE CASCADE,
    profile_id      TEXT REFERENCES profiles(id) ON DELETE CASCADE,
    company_id      TEXT REFERENCES companies(id) ON DELETE CASCADE,
    created_at      INTEGER NOT NULL,
    expires_at      INTEGER NOT NULL,
    CHECK ((profile_id IS NULL) <> (company_id IS NULL))
) STRICT;
CREATE INDEX idx_conversation_shares_conversation_id ON conversation_shares(conversation_id, created_at);

-- Tokens with which a person's programs act for them. Only a hash is stored.
CREATE TABLE api_tokens (
    id         TEXT PRIMARY KEY,
    profile_id TEXT NOT NULL REFERENCES profiles(id) ON DELETE CASCADE,
    scope_id   TEXT NOT NULL GENERATED ALWAYS AS (profile_id) VIRTUAL,
    name       TEXT NOT NULL,
    hash       TEXT NOT NULL UNIQUE,
    identity   TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX idx_api_tokens_profile_id ON api_tokens(profile_id, created_at);
