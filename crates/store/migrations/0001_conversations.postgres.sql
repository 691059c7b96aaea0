-- Who acts in the database.
--   fd_app (its name is the setting `fd.app_role`): people's transactions; bound by row-level security.
--   fd_worker: the platform's own; may call a few functions and read no table.
--   fd_keeper: owns those functions; has a policy for exactly what they need.
-- None of them logs in; the connecting role takes the first two by SET LOCAL ROLE.
DO $roles$
DECLARE
    app text := coalesce(nullif(current_setting('fd.app_role', true), ''), 'fd_app');
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY[app, 'fd_worker', 'fd_keeper'] LOOP
        IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = name) THEN
            BEGIN
                EXECUTE format('CREATE ROLE %I NOLOGIN NOSUPERUSER NOBYPASSRLS', name);
            EXCEPTION
                -- Another database of the same server was migrated at this moment.
                WHEN duplicate_object OR unique_violation THEN NULL;
                WHEN insufficient_privilege THEN
                    RAISE EXCEPTION 'the role % is missing and % may not create it', name, current_user
                        USING HINT = format('Let an administrator run: CREATE ROLE %I; GRANT %I TO %I;',
                                            name, name, current_user);
            END;
        END IF;
        IF NOT pg_has_role(current_user, name, 'MEMBER') THEN
            EXECUTE format('GRANT %I TO %I', name, current_user);
        END IF;
    END LOOP;
END
$roles$;

-- Supabase has this function; elsewhere it is ours. The claims are set for each transaction.
DO $auth$
BEGIN
    IF to_regprocedure('auth.uid()') IS NULL THEN
        CREATE SCHEMA IF NOT EXISTS auth;
        CREATE FUNCTION auth.uid() RETURNS uuid LANGUAGE sql STABLE AS $uid$
            SELECT nullif(nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub', '')::uuid
        $uid$;
        GRANT USAGE ON SCHEMA auth TO PUBLIC;
        GRANT EXECUTE ON FUNCTION auth.uid() TO PUBLIC;
    END IF;
END
$auth$;

CREATE SCHEMA fd;

-- The role that people's transactions take, for those who add tables of their own.
DO $name$
BEGIN
    EXECUTE format('CREATE FUNCTION fd.app_role() RETURNS text LANGUAGE sql IMMUTABLE AS %L',
        format('SELECT %L::text', coalesce(nullif(current_setting('fd.app_role', true), ''), 'fd_app')));
END
$name$;

-- Lets the application role use a table; row-level security is the table's own business.
CREATE FUNCTION fd.grant_to_app(rights text, what regclass) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('GRANT %s ON %s TO %I', rights, what, fd.app_role());
END
$$;
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
-- What policies ask, and the few things that are done across the borders between people. All of it
-- belongs to fd_keeper, has a fixed search path and does one thing.

-- What policies ask is written in plpgsql, whose plans are kept for the session: it is asked in
-- every statement, once for each table.

-- The profile of whoever is asking.
CREATE FUNCTION fd.profile() RETURNS uuid
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    RETURN (SELECT p.id FROM profiles p WHERE p.user_id = auth.uid());
END
$$;

-- Their companies, as they are now.
CREATE FUNCTION fd.companies() RETURNS SETOF uuid
    LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 4 SET search_path = public, pg_temp AS $$
BEGIN
    RETURN QUERY SELECT m.company_id FROM company_members m JOIN profiles p ON p.id = m.profile_id
        WHERE p.user_id = auth.uid();
END
$$;

-- Those of them that they run.
CREATE FUNCTION fd.administered() RETURNS SETOF uuid
    LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 4 SET search_path = public, pg_temp AS $$
BEGIN
    RETURN QUERY SELECT m.company_id FROM company_members m JOIN profiles p ON p.id = m.profile_id
        WHERE p.user_id = auth.uid() AND m.role IN ('owner', 'admin');
END
$$;

-- Everyone who is in one of their companies.
CREATE FUNCTION fd.colleagues() RETURNS SETOF uuid
    LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 20 SET search_path = public, pg_temp AS $$
BEGIN
    RETURN QUERY SELECT o.profile_id FROM company_members o WHERE o.company_id IN (SELECT fd.companies());
END
$$;

-- Where they are at home: their own profile and their companies.
CREATE FUNCTION fd.scopes() RETURNS SETOF uuid
    LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 4 SET search_path = public, pg_temp AS $$
BEGIN
    RETURN QUERY SELECT p.id FROM profiles p WHERE p.user_id = auth.uid()
        UNION ALL SELECT m.company_id FROM company_members m JOIN profiles p ON p.id = m.profile_id
        WHERE p.user_id = auth.uid();
END
$$;

-- Conversations of their own in companies that they have left.
CREATE FUNCTION fd.left_behind() RETURNS SETOF uuid
    LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 4 SET search_path = public, pg_temp AS $$
BEGIN
    RETURN QUERY SELECT c.id FROM conversations c WHERE c.user_id = fd.profile()
        AND c.company_id IS NOT NULL AND c.company_id NOT IN (SELECT fd.companies());
END
$$;

-- The roles that the claims of this transaction carry.
CREATE FUNCTION fd.roles() RETURNS text[]
    LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT ARRAY(SELECT jsonb_array_elements_text(CASE jsonb_typeof(r.roles) WHEN 'array' THEN r.roles ELSE '[]' END))
    FROM (SELECT nullif(current_setting('request.jwt.claims', true), '')::jsonb
              -> 'app_metadata' -> 'roles' AS roles) r
$$;

-- Tells what exists and is foreign from what is not there; nothing else is told.
CREATE FUNCTION fd.exists(kind text, id uuid) RETURNS boolean
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT CASE $1
        WHEN 'conversation' THEN EXISTS (SELECT 1 FROM conversations c WHERE c.id = $2)
        WHEN 'turn' THEN EXISTS (SELECT 1 FROM turns t WHERE t.id = $2)
        WHEN 'attachment' THEN EXISTS (SELECT 1 FROM attachments a WHERE a.id = $2)
        ELSE false
    END
$$;

-- The event that keeps a bucket full: a bucket may be shared, its events are not shown.
CREATE FUNCTION fd.blocked_by(bucket text, since timestamptz, place bigint) RETURNS timestamptz
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    RETURN (SELECT r.at FROM rate_events r WHERE r.bucket = $1 AND r.at > $2
        ORDER BY r.at DESC LIMIT 1 OFFSET $3);
END
$$;

-- Checks a worker's lease and lets the rest of the transaction act as the person of the turn.
CREATE FUNCTION fd.hold(turn uuid, held bigint) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    t record;
BEGIN
    SELECT turns.subject, turns.profile_id, turns.conversation_id INTO t FROM turns
        WHERE turns.id = turn AND turns.epoch = held AND turns.state = 'running'
        FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'the lease of this turn was lost'
            USING ERRCODE = 'check_violation', CONSTRAINT = 'turn_lease';
    END IF;
    IF NOT EXISTS (SELECT 1 FROM conversations c WHERE c.id = t.conversation_id
            AND (c.user_id = t.profile_id OR c.company_id IN (
                SELECT m.company_id FROM company_members m WHERE m.profile_id = t.profile_id))) THEN
        RAISE EXCEPTION 'the person of this turn has no access any more'
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    PERFORM set_config('request.jwt.claims',
        json_build_object('sub', t.subject, 'role', 'authenticated')::text, true);
END
$$;

-- Whether a worker has written this very entry before; for one whose answer was lost.
CREATE FUNCTION fd.recorded(turn uuid, held bigint, place bigint, event text) RETURNS boolean
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT EXISTS (SELECT 1 FROM journal j
        WHERE j.turn_id = $1 AND j.epoch = $2 AND j.position = $3 AND j.event::text = $4)
$$;

-- Gives one turn that nobody works on to a node. Tells ids and the epoch, nothing of the turn.
CREATE FUNCTION fd.claim(by_node text, at_time timestamptz, until timestamptz)
    RETURNS TABLE (turn_id uuid, conversation_id uuid, epoch bigint)
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    UPDATE turns t SET epoch = t.epoch + 1, node = by_node, lease_until = until, state = 'running',
        paused_at = NULL, deadline = t.deadline + coalesce(at_time - t.paused_at, interval '0')
    WHERE t.id = (SELECT f.id FROM turns f
        WHERE f.state IN ('running', 'awaiting_approval') AND f.lease_until < at_time
        ORDER BY f.lease_until LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED)
    RETURNING t.id, t.conversation_id, t.epoch
$$;

-- Ends a turn that cannot go on; its position, or nothing when it is no longer ours.
CREATE FUNCTION fd.interrupt(turn uuid, held bigint, how text, at_time timestamptz, event text)
    RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    t turns%ROWTYPE;
BEGIN
    UPDATE turns SET state = 'interrupted', outcome = how::json, ended_at = at_time,
        lease_until = NULL, position = turns.position + 1
        WHERE turns.id = turn AND turns.epoch = held AND turns.state = 'running' RETURNING * INTO t;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    INSERT INTO journal (turn_id, position, conversation_id, scope_id, epoch, event)
        VALUES (t.id, t.position, t.conversation_id, t.scope_id, t.epoch, interrupt.event::json);
    RETURN t.position;
END
$$;

-- Tells the turn of a card what the caller has just decided. An approver need not have access to
-- the conversation, and gets none.
CREATE FUNCTION fd.decided(turn uuid, at_time timestamptz, call text, tool text, hash text,
        how text, decider uuid, event text, nobody timestamptz) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    t turns%ROWTYPE;
BEGIN
    IF decider IS DISTINCT FROM fd.profile() OR NOT EXISTS (SELECT 1 FROM approvals a
            WHERE a.turn_id = turn AND a.call_id = call AND a.decided_by = decider
            AND a.decided_at = at_time AND a.decision = how) THEN
        RAISE EXCEPTION 'this card was not decided by the caller'
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    UPDATE turns SET position = turns.position + 1,
        lease_until = CASE turns.state WHEN 'awaiting_approval' THEN
            coalesce((SELECT max(a.expires_at) FROM approvals a
                WHERE a.turn_id = turn AND a.decision IS NULL), nobody)
            ELSE turns.lease_until END
        WHERE turns.id = turn RETURNING * INTO t;
    INSERT INTO journal (turn_id, position, conversation_id, scope_id, epoch, event)
        VALUES (t.id, t.position, t.conversation_id, t.scope_id, t.epoch, decided.event::json);
    INSERT INTO audit_log (at, profile_id, scope_id, conversation_id, turn_id, call_id, tool,
            arguments_hash, outcome, approver)
        VALUES (at_time, t.profile_id, t.scope_id, t.conversation_id, t.id, call, decided.tool, hash,
            how, decider);
END
$$;

CREATE FUNCTION fd.ensure_company(company uuid, called text, owner uuid, at_time timestamptz)
    RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    INSERT INTO companies (id, name, owner_id, created_at)
        VALUES (company, called, owner, at_time) ON CONFLICT (id) DO NOTHING;
    IF FOUND THEN
        INSERT INTO company_members (company_id, profile_id, role, joined_at)
            VALUES (company, owner, 'owner', at_time);
    END IF;
END
$$;

CREATE FUNCTION fd.add_member(company uuid, member uuid, standing text, at_time timestamptz)
    RETURNS void
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    INSERT INTO company_members (company_id, profile_id, role, joined_at)
        VALUES (company, member, standing, at_time)
        ON CONFLICT (company_id, profile_id) DO UPDATE SET role = excluded.role
$$;

-- The member's role, or nothing. The owner stays.
CREATE FUNCTION fd.remove_member(company uuid, member uuid) RETURNS text
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    standing text;
BEGIN
    SELECT m.role INTO standing FROM company_members m
        WHERE m.company_id = company AND m.profile_id = member;
    DELETE FROM company_members m
        WHERE m.company_id = company AND m.profile_id = member AND m.role <> 'owner';
    RETURN standing;
END
$$;

-- Erases what is in a conversation, for its owner alone. A turn that still runs keeps its row.
CREATE FUNCTION fd.clear(conversation uuid) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF NOT EXISTS (SELECT 1 FROM conversations c WHERE c.id = conversation AND c.user_id = fd.profile()) THEN
        RAISE EXCEPTION 'only its owner clears a conversation' USING ERRCODE = 'insufficient_privilege';
    END IF;
    DELETE FROM messages m WHERE m.conversation_id = conversation;
    DELETE FROM texts t WHERE t.conversation_id = conversation;
    DELETE FROM artifacts a WHERE a.conversation_id = conversation;
    DELETE FROM attachments a WHERE a.conversation_id = conversation;
    DELETE FROM turns t WHERE t.conversation_id = conversation
        AND t.state NOT IN ('running', 'awaiting_approval');
    DELETE FROM approvals a WHERE a.turn_id IN (SELECT t.id FROM turns t WHERE t.conversation_id = conversation);
    DELETE FROM journal j WHERE j.turn_id IN (SELECT t.id FROM turns t WHERE t.conversation_id = conversation);
END
$$;

-- Only the owner renames a conversation, whoever writes to it.
CREATE FUNCTION fd.guard_title() RETURNS trigger
    LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF OLD.user_id IS DISTINCT FROM fd.profile() THEN
        RAISE EXCEPTION 'only its owner renames a conversation'
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER conversations_title BEFORE UPDATE OF title ON conversations
    FOR EACH ROW WHEN (OLD.title IS DISTINCT FROM NEW.title) EXECUTE FUNCTION fd.guard_title();

-- fd_keeper owns what acts for it, and may create nothing else.
GRANT USAGE, CREATE ON SCHEMA fd TO fd_keeper;
DO $own$
DECLARE
    f regprocedure;
BEGIN
    FOR f IN SELECT p.oid::regprocedure FROM pg_proc p
        WHERE p.pronamespace = 'fd'::regnamespace AND p.prosecdef LOOP
        EXECUTE format('ALTER FUNCTION %s OWNER TO fd_keeper', f);
    END LOOP;
END
$own$;
REVOKE CREATE ON SCHEMA fd FROM fd_keeper;
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
