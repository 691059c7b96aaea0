//! The index file: its rights and its former version.

use super::*;

#[cfg(unix)]
#[tokio::test]
async fn only_the_owner_may_read_the_file() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("index.db");
    std::fs::write(&path, "").unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
    let index = EmbeddedIndex::open(&path).unwrap();
    index
        .put(document(None, "/a", &[("text", None)]))
        .await
        .unwrap();
    for file in std::fs::read_dir(folder.path()).unwrap() {
        let file = file.unwrap();
        let mode = file.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, 0o600, "{:?}", file.path());
    }
}

#[tokio::test]
async fn an_index_of_the_former_version_keeps_its_documents() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("index.db");
    let index = EmbeddedIndex::open(&path).unwrap();
    index
        .put(document(None, "/a", &[("zebra", None)]))
        .await
        .unwrap();
    drop(index);
    let db = rusqlite::Connection::open(&path).unwrap();
    db.execute_batch(
        "ALTER TABLE passages DROP COLUMN context_begins; ALTER TABLE passages DROP COLUMN context_ends;
         ALTER TABLE passages DROP COLUMN section; ALTER TABLE passages DROP COLUMN page; PRAGMA user_version = 3;",
    )
    .unwrap();
    drop(db);
    let index = EmbeddedIndex::open(&path).unwrap();
    let hits = index.find(&ask("zebra"), None).await.unwrap();
    assert_eq!((hits.len(), hits[0].section.as_str()), (1, ""));
}
