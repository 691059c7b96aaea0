//! The tables of the index file. A file of another version is recreated empty; the
//! documents can be indexed again.

use frontdesk_core::search::SearchError;
use rusqlite::Connection;

use super::broken;

const VERSION: i64 = 4;

const TABLES: &str = "
-- A collection and the owner of documents in it. Each indexed word starts with the place id,
-- so that a search reads no occurrences of other owners.
CREATE TABLE places (
    id         INTEGER PRIMARY KEY,
    collection TEXT NOT NULL,
    owner      TEXT NOT NULL,
    UNIQUE (collection, owner)
);
CREATE TABLE documents (
    id         INTEGER PRIMARY KEY,
    place      INTEGER NOT NULL REFERENCES places (id),
    collection TEXT NOT NULL,
    owner      TEXT NOT NULL,
    source     TEXT NOT NULL,
    url        TEXT NOT NULL,
    title      TEXT NOT NULL,
    text       TEXT NOT NULL,
    hash       TEXT NOT NULL,
    etag       TEXT,
    metadata   TEXT NOT NULL,
    size       INTEGER NOT NULL,
    overlap    INTEGER NOT NULL,
    model      TEXT NOT NULL,
    taken      INTEGER NOT NULL,
    UNIQUE (collection, owner, url)
);
CREATE INDEX documents_source ON documents (collection, owner, source);
CREATE TABLE passages (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    document INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    text     TEXT NOT NULL,
    tokens   INTEGER NOT NULL,
    words    INTEGER NOT NULL,
    begins   INTEGER NOT NULL,
    ends     INTEGER NOT NULL,
    -- The passage with its neighbours.
    context_begins INTEGER NOT NULL,
    context_ends   INTEGER NOT NULL,
    section  TEXT NOT NULL,
    page     INTEGER
);
CREATE INDEX passages_document ON passages (document, position);
CREATE TABLE vectors (
    passage INTEGER PRIMARY KEY REFERENCES passages (id) ON DELETE CASCADE,
    model   TEXT NOT NULL,
    digest  BLOB NOT NULL,
    vector  BLOB NOT NULL
);
-- words.rs splits, folds and prefixes the words: FTS5 only separates them at blanks.
CREATE VIRTUAL TABLE words USING fts5 (
    text, content = '', contentless_delete = 1, tokenize = 'ascii'
);
CREATE VIRTUAL TABLE occurrences USING fts5vocab (words, instance);
-- Incremented with every change, so that other processes refresh their caches.
CREATE TABLE generation (number INTEGER NOT NULL);
INSERT INTO generation VALUES (1);
-- Deleted passages, as the id range of a document, so that caches can be updated without
-- a full comparison.
CREATE TABLE gone (
    generation INTEGER NOT NULL,
    place      INTEGER NOT NULL,
    first      INTEGER NOT NULL,
    last       INTEGER NOT NULL
);
CREATE INDEX gone_generation ON gone (generation);
";

/// Keeps the documents of version 3, whose passages know neither section nor neighbours until
/// they are indexed again.
const FROM_3: &str = "
ALTER TABLE passages ADD COLUMN context_begins INTEGER NOT NULL DEFAULT 0;
ALTER TABLE passages ADD COLUMN context_ends INTEGER NOT NULL DEFAULT 0;
ALTER TABLE passages ADD COLUMN section TEXT NOT NULL DEFAULT '';
ALTER TABLE passages ADD COLUMN page INTEGER;
UPDATE passages SET context_begins = begins, context_ends = ends;
";

const DROP: &str = "
DROP TABLE IF EXISTS vocabulary; DROP TABLE IF EXISTS occurrences; DROP TABLE IF EXISTS words;
DROP TABLE IF EXISTS vectors; DROP TABLE IF EXISTS passages; DROP TABLE IF EXISTS documents;
DROP TABLE IF EXISTS places; DROP TABLE IF EXISTS generation; DROP TABLE IF EXISTS gone;
";

pub(super) fn prepare(db: &Connection) -> Result<(), SearchError> {
    db.execute_batch(
        "PRAGMA busy_timeout = 10000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA cache_size = -16000;",
    )
    .map_err(broken)?;
    let version = |db: &Connection| {
        db.query_row("PRAGMA user_version", [], |row| row.get::<_, i64>(0))
            .map_err(broken)
    };
    if version(db)? == VERSION {
        return Ok(());
    }
    // Two processes may start at once: the second waits here and finds the tables.
    db.execute_batch("BEGIN IMMEDIATE").map_err(broken)?;
    let change = match version(db)? {
        VERSION => String::new(),
        3 => FROM_3.to_owned(),
        _ => format!("{DROP}{TABLES}"),
    };
    db.execute_batch(&format!("{change}PRAGMA user_version = {VERSION};"))
        .map_err(broken)?;
    db.execute_batch("COMMIT").map_err(broken)
}

pub(super) fn tune_reader(db: &Connection) -> Result<(), SearchError> {
    db.execute_batch("PRAGMA busy_timeout = 10000; PRAGMA query_only = ON; PRAGMA cache_size = -16000; PRAGMA mmap_size = 0;")
        .map_err(broken)
}
