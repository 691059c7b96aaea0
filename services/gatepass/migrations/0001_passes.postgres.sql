CREATE TABLE gatepass_passes (
    id             uuid        NOT NULL PRIMARY KEY,
    number         text        NOT NULL UNIQUE,
    year           integer     NOT NULL,
    sequence       bigint      NOT NULL,
    person_name    text        NOT NULL,
    description    text        NOT NULL,
    is_returnable  boolean     NOT NULL,
    status         text        NOT NULL CHECK (status IN ('pending', 'approved', 'rejected', 'exited', 'returned')),
    -- Lower-cased copies to search in: the name alone, and everything.
    folded_name    text        NOT NULL,
    folded         text        NOT NULL,
    created_at     timestamptz NOT NULL,
    created_by     text        NOT NULL,
    approved_at    timestamptz,
    approved_by    text,
    exit_time      timestamptz,
    return_time    timestamptz,
    deleted_at     timestamptz,
    deleted_by     text,
    UNIQUE (year, sequence)
);

CREATE INDEX gatepass_passes_by_status ON gatepass_passes (status, year DESC, sequence DESC) WHERE deleted_at IS NULL;

-- Who brought a pass into which state, and when. Only ever appended to: it is the audit of the gate.
CREATE TABLE gatepass_status_changes (
    pass_id        uuid        NOT NULL REFERENCES gatepass_passes (id),
    position       bigint      NOT NULL,
    status         text        NOT NULL CHECK (status IN ('pending', 'approved', 'rejected', 'exited', 'returned', 'deleted')),
    changed_at     timestamptz NOT NULL,
    changed_by     text        NOT NULL,
    changed_by_sub text        NOT NULL,
    PRIMARY KEY (pass_id, position)
);

CREATE FUNCTION gatepass_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is only appended to', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER gatepass_status_changes_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON gatepass_status_changes
    FOR EACH STATEMENT EXECUTE FUNCTION gatepass_refuse_change();

CREATE TABLE gatepass_photos (
    id             uuid        NOT NULL PRIMARY KEY,
    pass_id        uuid        NOT NULL REFERENCES gatepass_passes (id),
    type           text        NOT NULL CHECK (type IN ('exit', 'return')),
    media_type     text        NOT NULL,
    size           bigint      NOT NULL,
    sha256         bytea       NOT NULL,
    captured_at    timestamptz NOT NULL,
    captured_by    text        NOT NULL,
    UNIQUE (pass_id, type)
);

CREATE TABLE gatepass_notifications (
    id             uuid        NOT NULL PRIMARY KEY,
    audience       text        NOT NULL CHECK (audience IN ('admin', 'hr')),
    type           text        NOT NULL,
    message        text        NOT NULL,
    pass_id        uuid        NOT NULL REFERENCES gatepass_passes (id),
    is_read        boolean     NOT NULL,
    created_at     timestamptz NOT NULL
);

CREATE INDEX gatepass_notifications_by_audience ON gatepass_notifications (audience, id DESC);

-- The last pass number of each year, and how many bytes the photos take.
CREATE TABLE gatepass_counters (
    name           text        NOT NULL PRIMARY KEY,
    value          bigint      NOT NULL
);

-- Answers given to requests that carried an Idempotency-Key.
CREATE TABLE gatepass_requests (
    principal      text        NOT NULL,
    route          text        NOT NULL,
    key            text        NOT NULL,
    fingerprint    bytea       NOT NULL,
    status         bigint,
    body           text,
    created_at     timestamptz NOT NULL,
    PRIMARY KEY (principal, route, key)
);

CREATE INDEX gatepass_requests_by_age ON gatepass_requests (created_at);

-- The service decides who may do what, route by route, and acts under its own claims. Everyone else who shares this
-- database, the owner of the tables included, sees nothing of them.
CREATE FUNCTION gatepass_is_service() RETURNS boolean LANGUAGE sql STABLE SET search_path = pg_catalog AS $$
    SELECT coalesce(nullif(current_setting('request.jwt.claims', true), '')::json ->> 'role' = 'service_role', false)
$$;

ALTER TABLE gatepass_passes ENABLE ROW LEVEL SECURITY;
ALTER TABLE gatepass_passes FORCE ROW LEVEL SECURITY;
CREATE POLICY gatepass_service ON gatepass_passes USING ((SELECT gatepass_is_service())) WITH CHECK ((SELECT gatepass_is_service()));
ALTER TABLE gatepass_status_changes ENABLE ROW LEVEL SECURITY;
ALTER TABLE gatepass_status_changes FORCE ROW LEVEL SECURITY;
CREATE POLICY gatepass_service ON gatepass_status_changes USING ((SELECT gatepass_is_service())) WITH CHECK ((SELECT gatepass_is_service()));
ALTER TABLE gatepass_photos ENABLE ROW LEVEL SECURITY;
ALTER TABLE gatepass_photos FORCE ROW LEVEL SECURITY;
CREATE POLICY gatepass_service ON gatepass_photos USING ((SELECT gatepass_is_service())) WITH CHECK ((SELECT gatepass_is_service()));
ALTER TABLE gatepass_notifications ENABLE ROW LEVEL SECURITY;
ALTER TABLE gatepass_notifications FORCE ROW LEVEL SECURITY;
CREATE POLICY gatepass_service ON gatepass_notifications USING ((SELECT gatepass_is_service())) WITH CHECK ((SELECT gatepass_is_service()));
ALTER TABLE gatepass_counters ENABLE ROW LEVEL SECURITY;
ALTER TABLE gatepass_counters FORCE ROW LEVEL SECURITY;
CREATE POLICY gatepass_service ON gatepass_counters USING ((SELECT gatepass_is_service())) WITH CHECK ((SELECT gatepass_is_service()));
ALTER TABLE gatepass_requests ENABLE ROW LEVEL SECURITY;
ALTER TABLE gatepass_requests FORCE ROW LEVEL SECURITY;
CREATE POLICY gatepass_service ON gatepass_requests USING ((SELECT gatepass_is_service())) WITH CHECK ((SELECT gatepass_is_service()));
