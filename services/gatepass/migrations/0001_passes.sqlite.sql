CREATE TABLE gatepass_passes (
    id             TEXT    NOT NULL PRIMARY KEY,
    number         TEXT    NOT NULL UNIQUE,
    year           INTEGER NOT NULL,
    sequence       INTEGER NOT NULL,
    person_name    TEXT    NOT NULL,
    description    TEXT    NOT NULL,
    is_returnable  INTEGER NOT NULL CHECK (is_returnable IN (0, 1)),
    status         TEXT    NOT NULL CHECK (status IN ('pending', 'approved', 'rejected', 'exited', 'returned')),
    -- Lower-cased copies to search in: the name alone, and everything.
    folded_name    TEXT    NOT NULL,
    folded         TEXT    NOT NULL,
    created_at     INTEGER NOT NULL,
    created_by     TEXT    NOT NULL,
    approved_at    INTEGER,
    approved_by    TEXT,
    exit_time      INTEGER,
    return_time    INTEGER,
    deleted_at     INTEGER,
    deleted_by     TEXT,
    UNIQUE (year, sequence)
) STRICT;

CREATE INDEX gatepass_passes_by_status ON gatepass_passes (status, year DESC, sequence DESC) WHERE deleted_at IS NULL;

-- Who brought a pass into which state, and when. Only ever appended to: it is the audit of the gate.
CREATE TABLE gatepass_status_changes (
    pass_id        TEXT    NOT NULL REFERENCES gatepass_passes (id),
    position       INTEGER NOT NULL,
    status         TEXT    NOT NULL CHECK (status IN ('pending', 'approved', 'rejected', 'exited', 'returned', 'deleted')),
    changed_at     INTEGER NOT NULL,
    changed_by     TEXT    NOT NULL,
    changed_by_sub TEXT    NOT NULL,
    PRIMARY KEY (pass_id, position)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER gatepass_status_changes_stay BEFORE UPDATE ON gatepass_status_changes
BEGIN SELECT RAISE(ABORT, 'gatepass_status_changes is only appended to'); END;
CREATE TRIGGER gatepass_status_changes_are_kept BEFORE DELETE ON gatepass_status_changes
BEGIN SELECT RAISE(ABORT, 'gatepass_status_changes is only appended to'); END;

CREATE TABLE gatepass_photos (
    id             TEXT    NOT NULL PRIMARY KEY,
    pass_id        TEXT    NOT NULL REFERENCES gatepass_passes (id),
    type           TEXT    NOT NULL CHECK (type IN ('exit', 'return')),
    media_type     TEXT    NOT NULL,
    size           INTEGER NOT NULL,
    sha256         BLOB    NOT NULL,
    captured_at    INTEGER NOT NULL,
    captured_by    TEXT    NOT NULL,
    UNIQUE (pass_id, type)
) STRICT;

CREATE TABLE gatepass_notifications (
    id             TEXT    NOT NULL PRIMARY KEY,
    audience       TEXT    NOT NULL CHECK (audience IN ('admin', 'hr')),
    type           TEXT    NOT NULL,
    message        TEXT    NOT NULL,
    pass_id        TEXT    NOT NULL REFERENCES gatepass_passes (id),
    is_read        INTEGER NOT NULL CHECK (is_read IN (0, 1)),
    created_at     INTEGER NOT NULL
) STRICT;

CREATE INDEX gatepass_notifications_by_audience ON gatepass_notifications (audience, id DESC);

-- The last pass number of each year, and how many bytes the photos take.
CREATE TABLE gatepass_counters (
    name           TEXT    NOT NULL PRIMARY KEY,
    value          INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Answers given to requests that carried an Idempotency-Key.
CREATE TABLE gatepass_requests (
    principal      TEXT    NOT NULL,
    route          TEXT    NOT NULL,
    key            TEXT    NOT NULL,
    fingerprint    BLOB    NOT NULL,
    status         INTEGER,
    body           TEXT,
    created_at     INTEGER NOT NULL,
    PRIMARY KEY (principal, route, key)
) STRICT, WITHOUT ROWID;

CREATE INDEX gatepass_requests_by_age ON gatepass_requests (created_at);
