-- People who want a mail when something waits for them. `mailed` lists the items of the last mail.
CREATE TABLE inbox_mails (
    profile_id   TEXT PRIMARY KEY REFERENCES profiles(id) ON DELETE CASCADE,
    scope_id     TEXT NOT NULL GENERATED ALWAYS AS (profile_id) VIRTUAL,
    language     TEXT NOT NULL,
    identity     TEXT NOT NULL,
    signed_in_at INTEGER NOT NULL,
    mailed       TEXT NOT NULL DEFAULT '[]',
    mailed_at    INTEGER
) STRICT;
