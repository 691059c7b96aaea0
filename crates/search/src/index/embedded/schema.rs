//! The tables of the index file. A file of another version is made anew: all of it can be
//! taken in again.

use frontdesk_core::search::SearchError;
use rusqlite::Connection;

use super::broken;

const VERSION: i64 = 1;

const TABLES: &str = "
CREATE TABLE documents (
    id         INTEGER PRIMARY KEY,
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
    begins   INTEGER NOT NULL,
    ends     INTEGER NOT NULL
);
CREATE INDEX passages_document ON passages (document, position);
CREATE TABLE vectors (
    passage INTEGER PRIMARY KEY REFERENCES passages (id) ON DELETE CASCADE,
    model   TEXT NOT NULL,
    vector  BLOB NOT NULL
);
CREATE VIRTUAL TABLE words USING fts5 (
    text, stems, content = '', contentless_delete = 1,
    tokenize = 'unicode61 remove_diacritics 2'
);
CREATE VIRTUAL TABLE vocabulary USING fts5vocab (words, row);
-- Rises with every change, so that other processes know that they must look again.
CREATE TABLE generation (number INTEGER NOT NULL);
INSERT INTO generation VALUES (1);
";

const DROP: &str = "
DROP TABLE IF EXISTS vocabulary; DROP TABLE IF EXISTS words; DROP TABLE IF EXISTS vectors;
DROP TABLE IF EXISTS passages; DROP TABLE IF EXISTS documents; DROP TABLE IF EXISTS generation;
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
    // Two processes may start at once: the second waits here and finds it done.
    db.execute_batch("BEGIN IMMEDIATE").map_err(broken)?;
    if version(db)? != VERSION {
        db.execute_batch(&format!("{DROP}{TABLES}PRAGMA user_version = {VERSION};"))
            .map_err(broken)?;
    }
    db.execute_batch("COMMIT").map_err(broken)
}

pub(super) fn tune_reader(db: &Connection) -> Result<(), SearchError> {
    db.execute_batch("PRAGMA busy_timeout = 10000; PRAGMA query_only = ON; PRAGMA cache_size = -16000; PRAGMA mmap_size = 0;")
        .map_err(broken)
}
