-- The platform's tables on SQLite. Times are microseconds since 1970, ids hyphenated text,
-- JSON is text as it was written. `scope_id` is the company, or the owner where there is none.

CREATE TABLE profiles (
    id           TEXT PRIMARY KEY,
    user_id      TEXT NOT NULL UNIQUE,
    display_name TEXT NOT NULL,
    email        TEXT,
    avatar_url   TEXT,
    created_at   INTEGER NOT NULL,
    updated_at   INTEGER NOT NULL,
    scope_id     TEXT NOT NULL GENERATED ALWAYS AS (id) VIRTUAL
) STRICT;

CREATE TABLE companies (
    id         TEXT PRIMARY KEY,
    name       TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 255),
    owner_id   TEXT NOT NULL REFERENCES profiles(id),
    created_at INTEGER NOT NULL,
    scope_id   TEXT NOT NULL GENERATED ALWAYS AS (id) VIRTUAL
) STRICT;

CREATE TABLE company_members (
    company_id TEXT NOT NULL REFERENCES companies(id) ON DELETE CASCADE,
    profile_id TEXT NOT NULL REFERENCES profiles(id) ON DELETE CASCADE,
    role       TEXT NOT NULL CHECK (role IN ('owner', 'admin', 'member')),
    joined_at  INTEGER NOT NULL,
    scope_id   TEXT NOT NULL GENERATED ALWAYS AS (company_id) VIRTUAL,
    PRIMARY KEY (company_id, profile_id)
) STRICT;
CREATE INDEX idx_company_members_profile_id ON company_members(profile_id, company_id);

CREATE TABLE invitations (
    id         TEXT PRIMARY KEY,
    company_id TEXT NOT NULL REFERENCES companies(id) ON DELETE CASCADE,
    email      TEXT NOT NULL,
    invited_by TEXT NOT NULL REFERENCES profiles(id) ON DELETE CASCADE,
    status     TEXT NOT NULL DEFAULT 'pending'
               CHECK (status IN ('pending', 'accepted', 'declined', 'expired')),
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    scope_id   TEXT NOT NULL GENERATED ALWAYS AS (company_id) VIRTUAL
) STRICT;
CREATE INDEX idx_invitations_company_id ON invitations(company_id);
CREATE INDEX idx_invitations_email ON invitations(email);

CREATE TABLE conversations (
    id              TEXT PRIMARY KEY,
    user_id         TEXT NOT NULL REFERENCES profiles(id) ON DELETE CASCADE,
    company_id      TEXT REFERENCES companies(id),
    scope_id        TEXT NOT NULL,
    assistant       TEXT NOT NULL,
    subject         TEXT,
    title           TEXT NOT NULL,
    phase           TEXT NOT NULL DEFAULT 'discovery',
    metadata        TEXT NOT NULL DEFAULT '{}',
    progress        TEXT NOT NULL DEFAULT '{}',
    message_count   INTEGER NOT NULL DEFAULT 0,
    last_message_at INTEGER,
    next_seq        INTEGER NOT NULL DEFAULT 1,
    floor_seq       INTEGER NOT NULL DEFAULT 1,
    text_count      INTEGER NOT NULL DEFAULT 0,
    file_count      INTEGER NOT NULL DEFAULT 0,
    created_at      INTEGER NOT NULL,
    updated_at      INTEGER NOT NULL,
    CHECK (scope_id = coalesce(company_id, user_id))
) STRICT;
CREATE INDEX idx_conversations_user_id ON conversations(user_id, updated_at DESC, id DESC);
CREATE INDEX idx_conversations_company_id ON conversations(company_id, updated_at DESC, id DESC);
CREATE INDEX idx_conversations_updated_at ON conversations(updated_at DESC);

-- What was said ('said') and what only the model is told ('step'), in one order.
CREATE TABLE messages (
    id              TEXT PRIMARY KEY,
    conversation_id TEXT NOT NULL REFERENCES conversations(id) ON DELETE CASCADE,
    role            TEXT NOT NULL CHECK (role IN ('user', 'assistant', 'system', 'tool')),
    content         TEXT NOT NULL,
    metadata        TEXT NOT NULL DEFAULT '{}',
    created_at      INTEGER NOT NULL,
    scope_id        TEXT NOT NULL,
    seq             INTEGER NOT NULL,
    turn_id         TEXT NOT NULL,
    part            TEXT NOT NULL CHECK (part IN ('said', 'step')),
    kind            TEXT CHECK (kind IN ('context', 'user', 'calls', 'result', 'answer')),
    wire            TEXT,
    tokens          INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE UNIQUE INDEX idx_messages_conversation_id ON messages(conversation_id, seq);
CREATE INDEX idx_messages_said ON messages(conversation_id, seq) WHERE part = 'said';
CREATE INDEX idx_messages_created_at ON messages(created_at);

CREATE TABLE texts (
    conversation_id TEXT NOT NULL REFERENCES conversations(id) ON DELETE CASCADE,
    number          INTEGER NOT NULL,
    scope_id        TEXT NOT NULL,
    content         TEXT NOT NULL,
    created_at      INTEGER NOT NULL,
    PRIMARY KEY (conversation_id, number)
) STRICT;

CREATE TABLE turns (
    id               TEXT PRIMARY KEY,
    conversation_id  TEXT NOT NULL REFERENCES conversations(id) ON DELETE CASCADE,
    scope_id         TEXT NOT NULL,
    profile_id       TEXT NOT NULL,
    subject          TEXT NOT NULL,
    principal        TEXT NOT NULL,
    opening          TEXT NOT NULL,
    first_seq        INTEGER NOT NULL,
    user_message_id  TEXT NOT NULL,
    agent_message_id TEXT,
    state            TEXT NOT NULL CHECK (state IN
                     ('running', 'awaiting_approval', 'completed', 'failed', 'cancelled', 'interrupted')),
    outcome          TEXT,
    position         INTEGER NOT NULL,
    epoch            INTEGER NOT NULL,
    node             TEXT NOT NULL,
    lease_until      INTEGER,
    deadline         INTEGER NOT NULL,
    paused_at        INTEGER,
    cancel_requested INTEGER NOT NULL DEFAULT 0,
    input_tokens     INTEGER NOT NULL DEFAULT 0,
    output_tokens    INTEGER NOT NULL DEFAULT 0,
    cached_tokens    INTEGER NOT NULL DEFAULT 0,
    usage_estimated  INTEGER NOT NULL DEFAULT 0,
    started_at       INTEGER NOT NULL,
    ended_at         INTEGER
) STRICT;
CREATE UNIQUE INDEX idx_turns_active ON turns(conversation_id)
    WHERE state IN ('running', 'awaiting_approval');
CREATE INDEX idx_turns_conversation_id ON turns(conversation_id, started_at);
CREATE INDEX idx_turns_lease_until ON turns(lease_until)
    WHERE state IN ('running', 'awaiting_approval');

CREATE TABLE journal (
    turn_id         TEXT NOT NULL REFERENCES turns(id) ON DELETE CASCADE,
    position        INTEGER NOT NULL,
    conversation_id TEXT NOT NULL,
    scope_id        TEXT NOT NULL,
    epoch           INTEGER NOT NULL,
    event           TEXT NOT NULL,
    PRIMARY KEY (turn_id, position)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER journal_append_only BEFORE UPDATE ON journal
BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;

CREATE TABLE approvals (
    turn_id         TEXT NOT NULL REFERENCES turns(id) ON DELETE CASCADE,
    call_id         TEXT NOT NULL,
    conversation_id TEXT NOT NULL,
    company_id      TEXT,
    scope_id        TEXT NOT NULL,
    assistant       TEXT NOT NULL,
    requested_by    TEXT NOT NULL,
    for_roles       INTEGER NOT NULL,
    card            TEXT NOT NULL,
    requested_at    INTEGER NOT NULL,
    expires_at      INTEGER NOT NULL,
    decision        TEXT CHECK (decision IN ('approved', 'rejected', 'expired')),
    decided_by      TEXT,
    reason          TEXT,
    decided_at      INTEGER,
    PRIMARY KEY (turn_id, call_id)
) STRICT;
CREATE INDEX idx_approvals_open ON approvals(requested_at, turn_id, call_id) WHERE decision IS NULL;

CREATE TABLE artifacts (
    id              TEXT PRIMARY KEY,
    conversation_id TEXT NOT NULL REFERENCES conversations(id) ON DELETE CASCADE,
    scope_id        TEXT NOT NULL,
    kind            TEXT NOT NULL,
    key             TEXT NOT NULL,
    version         INTEGER NOT NULL,
    status          TEXT NOT NULL CHECK (status IN ('draft', 'confirmed')),
    title           TEXT NOT NULL,
    content         TEXT NOT NULL,
    built_from      TEXT NOT NULL,
    created_at      INTEGER NOT NULL,
    UNIQUE (conversation_id, kind, key, version)
) STRICT;

CREATE TABLE attachments (
    id              TEXT PRIMARY KEY,
    conversation_id TEXT NOT NULL REFERENCES conversations(id) ON DELETE CASCADE,
    scope_id        TEXT NOT NULL,
    number          INTEGER,
    name            TEXT NOT NULL,
    media_type      TEXT NOT NULL,
    size            INTEGER NOT NULL,
    bytes           BLOB NOT NULL,
    created_at      INTEGER NOT NULL,
    UNIQUE (conversation_id, number)
) STRICT;

-- No reference to the turn: a key outlives a conversation that was cleared.
CREATE TABLE idempotency_keys (
    profile_id  TEXT NOT NULL,
    route       TEXT NOT NULL,
    key         TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    turn_id     TEXT NOT NULL,
    created_at  INTEGER NOT NULL,
    scope_id    TEXT NOT NULL GENERATED ALWAYS AS (profile_id) VIRTUAL,
    PRIMARY KEY (profile_id, route, key)
) STRICT;
CREATE INDEX idx_idempotency_keys_created_at ON idempotency_keys(profile_id, created_at);

CREATE TABLE rate_events (
    bucket     TEXT NOT NULL,
    at         INTEGER NOT NULL,
    turn_id    TEXT NOT NULL,
    profile_id TEXT NOT NULL,
    scope_id   TEXT NOT NULL GENERATED ALWAYS AS (profile_id) VIRTUAL,
    PRIMARY KEY (bucket, at, turn_id)
) STRICT;

-- Ids without references: the record stays when what it speaks of is erased.
CREATE TABLE audit_log (
    id              INTEGER PRIMARY KEY AUTOINCREMENT,
    at              INTEGER NOT NULL,
    profile_id      TEXT NOT NULL,
    scope_id        TEXT NOT NULL,
    conversation_id TEXT,
    turn_id         TEXT,
    call_id         TEXT NOT NULL,
    tool            TEXT NOT NULL,
    arguments_hash  TEXT NOT NULL,
    outcome         TEXT NOT NULL,
    approver        TEXT
) STRICT;
CREATE INDEX idx_audit_log_profile_id ON audit_log(profile_id, id DESC);
CREATE INDEX idx_audit_log_conversation_id ON audit_log(conversation_id, id DESC);
CREATE TRIGGER audit_log_no_update BEFORE UPDATE ON audit_log
BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
CREATE TRIGGER audit_log_no_delete BEFORE DELETE ON audit_log
BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
