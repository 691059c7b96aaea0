-- The platform's tables. `scope_id` is the company, or the owner where there is none.

CREATE TABLE profiles (
    id           uuid PRIMARY KEY,
    user_id      uuid NOT NULL UNIQUE,
    display_name text NOT NULL,
    email        text,
    avatar_url   text,
    created_at   timestamptz NOT NULL DEFAULT now(),
    updated_at   timestamptz NOT NULL DEFAULT now(),
    scope_id     uuid NOT NULL GENERATED ALWAYS AS (id) STORED
);

CREATE TABLE companies (
    id         uuid PRIMARY KEY,
    name       text NOT NULL CHECK (length(name) BETWEEN 1 AND 255),
    owner_id   uuid NOT NULL REFERENCES profiles(id),
    created_at timestamptz NOT NULL DEFAULT now(),
    scope_id   uuid NOT NULL GENERATED ALWAYS AS (id) STORED
);

CREATE TABLE company_members (
    company_id uuid NOT NULL REFERENCES companies(id) ON DELETE CASCADE,
    profile_id uuid NOT NULL REFERENCES profiles(id) ON DELETE CASCADE,
    role       text NOT NULL CHECK (role IN ('owner', 'admin', 'member')),
    joined_at  timestamptz NOT NULL DEFAULT now(),
    scope_id   uuid NOT NULL GENERATED ALWAYS AS (company_id) STORED,
    PRIMARY KEY (company_id, profile_id)
);
CREATE INDEX idx_company_members_profile_id ON company_members(profile_id, company_id);

CREATE TABLE invitations (
    id         uuid PRIMARY KEY,
    company_id uuid NOT NULL REFERENCES companies(id) ON DELETE CASCADE,
    email      text NOT NULL,
    invited_by uuid NOT NULL REFERENCES profiles(id) ON DELETE CASCADE,
    status     text NOT NULL DEFAULT 'pending'
               CHECK (status IN ('pending', 'accepted', 'declined', 'expired')),
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    scope_id   uuid NOT NULL GENERATED ALWAYS AS (company_id) STORED
);
CREATE INDEX idx_invitations_company_id ON invitations(company_id);
CREATE INDEX idx_invitations_email ON invitations(email);

CREATE TABLE conversations (
    id              uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    user_id         uuid NOT NULL REFERENCES profiles(id) ON DELETE CASCADE,
    company_id      uuid REFERENCES companies(id),
    scope_id        uuid NOT NULL,
    assistant       text NOT NULL,
    subject         text,
    title           text NOT NULL,
    phase           text NOT NULL DEFAULT 'discovery',
    metadata        jsonb NOT NULL DEFAULT '{}',
    progress        jsonb NOT NULL DEFAULT '{}',
    message_count   bigint NOT NULL DEFAULT 0,
    last_message_at timestamptz,
    next_seq        bigint NOT NULL DEFAULT 1,
    floor_seq       bigint NOT NULL DEFAULT 1,
    text_count      bigint NOT NULL DEFAULT 0,
    file_count      bigint NOT NULL DEFAULT 0,
    created_at      timestamptz NOT NULL DEFAULT now(),
    updated_at      timestamptz NOT NULL DEFAULT now(),
    CHECK (scope_id = coalesce(company_id, user_id)),
    -- What is inside refers to both, so that no row can stand in a scope that is not its conversation's.
    UNIQUE (id, scope_id)
);
CREATE INDEX idx_conversations_user_id ON conversations(user_id, updated_at DESC, id DESC);
CREATE INDEX idx_conversations_company_id ON conversations(company_id, updated_at DESC, id DESC);
CREATE INDEX idx_conversations_updated_at ON conversations(updated_at DESC);

-- What was said ('said') and what only the model is told ('step'), in one order.
CREATE TABLE messages (
    id              uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    conversation_id uuid NOT NULL,
    role            text NOT NULL CHECK (role IN ('user', 'assistant', 'system', 'tool')),
    content         text NOT NULL,
    metadata        jsonb NOT NULL DEFAULT '{}',
    created_at      timestamptz NOT NULL DEFAULT now(),
    scope_id        uuid NOT NULL,
    seq             bigint NOT NULL,
    turn_id         uuid NOT NULL,
    part            text NOT NULL CHECK (part IN ('said', 'step')),
    kind            text CHECK (kind IN ('context', 'user', 'calls', 'result', 'answer')),
    wire            text,
    tokens          bigint NOT NULL DEFAULT 0,
    FOREIGN KEY (conversation_id, scope_id) REFERENCES conversations(id, scope_id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX idx_messages_conversation_id ON messages(conversation_id, seq);
CREATE INDEX idx_messages_said ON messages(conversation_id, seq) WHERE part = 'said';
CREATE INDEX idx_messages_created_at ON messages(created_at);

CREATE TABLE texts (
    conversation_id uuid NOT NULL,
    number          bigint NOT NULL,
    scope_id        uuid NOT NULL,
    content         text NOT NULL,
    created_at      timestamptz NOT NULL,
    PRIMARY KEY (conversation_id, number),
    FOREIGN KEY (conversation_id, scope_id) REFERENCES conversations(id, scope_id) ON DELETE CASCADE
);

CREATE TABLE turns (
    id               uuid PRIMARY KEY,
    conversation_id  uuid NOT NULL,
    scope_id         uuid NOT NULL,
    profile_id       uuid NOT NULL,
    subject          uuid NOT NULL,
    principal        json NOT NULL,
    opening          json NOT NULL,
    first_seq        bigint NOT NULL,
    user_message_id  uuid NOT NULL,
    agent_message_id uuid,
    state            text NOT NULL CHECK (state IN
                     ('running', 'awaiting_approval', 'completed', 'failed', 'cancelled', 'interrupted')),
    outcome          json,
    position         bigint NOT NULL,
    epoch            bigint NOT NULL,
    node             text NOT NULL,
    lease_until      timestamptz,
    deadline         timestamptz NOT NULL,
    paused_at        timestamptz,
    cancel_requested boolean NOT NULL DEFAULT false,
    input_tokens     bigint NOT NULL DEFAULT 0,
    output_tokens    bigint NOT NULL DEFAULT 0,
    cached_tokens    bigint NOT NULL DEFAULT 0,
    usage_estimated  boolean NOT NULL DEFAULT false,
    started_at       timestamptz NOT NULL,
    ended_at         timestamptz,
    FOREIGN KEY (conversation_id, scope_id) REFERENCES conversations(id, scope_id) ON DELETE CASCADE,
    UNIQUE (id, conversation_id, scope_id)
);
CREATE UNIQUE INDEX idx_turns_active ON turns(conversation_id)
    WHERE state IN ('running', 'awaiting_approval');
CREATE INDEX idx_turns_conversation_id ON turns(conversation_id, started_at);
CREATE INDEX idx_turns_lease_until ON turns(lease_until)
    WHERE state IN ('running', 'awaiting_approval');

CREATE TABLE journal (
    turn_id         uuid NOT NULL,
    position        bigint NOT NULL,
    conversation_id uuid NOT NULL,
    scope_id        uuid NOT NULL,
    epoch           bigint NOT NULL,
    event           json NOT NULL,
    PRIMARY KEY (turn_id, position),
    FOREIGN KEY (turn_id, conversation_id, scope_id)
        REFERENCES turns(id, conversation_id, scope_id) ON DELETE CASCADE
);

CREATE TABLE approvals (
    turn_id         uuid NOT NULL,
    call_id         text NOT NULL,
    conversation_id uuid NOT NULL,
    company_id      uuid,
    scope_id        uuid NOT NULL,
    assistant       text NOT NULL,
    requested_by    uuid NOT NULL,
    for_roles       boolean NOT NULL,
    card            json NOT NULL,
    requested_at    timestamptz NOT NULL,
    expires_at      timestamptz NOT NULL,
    decision        text CHECK (decision IN ('approved', 'rejected', 'expired')),
    decided_by      uuid,
    reason          text,
    decided_at      timestamptz,
    PRIMARY KEY (turn_id, call_id),
    FOREIGN KEY (turn_id, conversation_id, scope_id)
        REFERENCES turns(id, conversation_id, scope_id) ON DELETE CASCADE
);
CREATE INDEX idx_approvals_open ON approvals(requested_at, turn_id, call_id) WHERE decision IS NULL;

CREATE TABLE artifacts (
    id              uuid PRIMARY KEY,
    conversation_id uuid NOT NULL,
    scope_id        uuid NOT NULL,
    kind            text NOT NULL,
    key             text NOT NULL,
    version         bigint NOT NULL,
    status          text NOT NULL CHECK (status IN ('draft', 'confirmed')),
    title           text NOT NULL,
    content         json NOT NULL,
    built_from      json NOT NULL,
    created_at      timestamptz NOT NULL,
    UNIQUE (conversation_id, kind, key, version),
    FOREIGN KEY (conversation_id, scope_id) REFERENCES conversations(id, scope_id) ON DELETE CASCADE
);

CREATE TABLE attachments (
    id              uuid PRIMARY KEY,
    conversation_id uuid NOT NULL,
    scope_id        uuid NOT NULL,
    number          bigint,
    name            text NOT NULL,
    media_type      text NOT NULL,
    size            bigint NOT NULL,
    bytes           bytea NOT NULL,
    created_at      timestamptz NOT NULL,
    UNIQUE (conversation_id, number),
    FOREIGN KEY (conversation_id, scope_id) REFERENCES conversations(id, scope_id) ON DELETE CASCADE
);

-- No reference to the turn: a key outlives a conversation that was cleared.
CREATE TABLE idempotency_keys (
    profile_id  uuid NOT NULL,
    route       text NOT NULL,
    key         text NOT NULL,
    fingerprint text NOT NULL,
    turn_id     uuid NOT NULL,
    created_at  timestamptz NOT NULL,
    scope_id    uuid NOT NULL GENERATED ALWAYS AS (profile_id) STORED,
    PRIMARY KEY (profile_id, route, key)
);
CREATE INDEX idx_idempotency_keys_created_at ON idempotency_keys(profile_id, created_at);

CREATE TABLE rate_events (
    bucket     text NOT NULL,
    at         timestamptz NOT NULL,
    turn_id    uuid NOT NULL,
    profile_id uuid NOT NULL,
    scope_id   uuid NOT NULL GENERATED ALWAYS AS (profile_id) STORED,
    PRIMARY KEY (bucket, at, turn_id)
);

-- Ids without references: the record stays when what it speaks of is erased.
CREATE TABLE audit_log (
    id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at              timestamptz NOT NULL,
    profile_id      uuid NOT NULL,
    scope_id        uuid NOT NULL,
    conversation_id uuid,
    turn_id         uuid,
    call_id         text NOT NULL,
    tool            text NOT NULL,
    arguments_hash  text NOT NULL,
    outcome         text NOT NULL,
    approver        uuid
);
CREATE INDEX idx_audit_log_profile_id ON audit_log(profile_id, id DESC);
CREATE INDEX idx_audit_log_conversation_id ON audit_log(conversation_id, id DESC);

CREATE FUNCTION fd.refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is append-only', tg_table_name USING ERRCODE = 'insufficient_privilege';
END
$$;
CREATE TRIGGER journal_append_only BEFORE UPDATE ON journal
    FOR EACH STATEMENT EXECUTE FUNCTION fd.refuse();
CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
    FOR EACH STATEMENT EXECUTE FUNCTION fd.refuse();
