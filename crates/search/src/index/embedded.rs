//! The index without an external service: one SQLite file with passages, words (FTS5) and
//! vectors, and an in-cache copy of the vectors, one byte per number, which each search
//! scans.
//!
//! The file is separate from the product's database: it can be rebuilt, its long writes
//! never delay a conversation, and it also works beside PostgreSQL.

mod cache;
mod find;
mod postings;
mod scan;
mod schema;
mod words;
mod write;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use async_trait::async_trait;
use frontdesk_core::embed::Embedding;
use frontdesk_core::search::{Query, SearchError};
use rusqlite::{Connection, OpenFlags};
use uuid::Uuid;

use super::{
    Collection, DocumentEntry, DocumentVersion, Hit, Index, NewDocument, Place, StoredDocument,
};
use cache::IndexCache;

/// Connections for concurrent searches.
const READERS: usize = 4;

#[derive(Clone)]
pub struct EmbeddedIndex {
    inner: Arc<Inner>,
}

struct Inner {
    path: PathBuf,
    writer: Mutex<Connection>,
    readers: Mutex<Vec<Connection>>,
    cache: RwLock<IndexCache>,
}

impl EmbeddedIndex {
    /// Opens or creates the index file. It holds the text of every document, so only its
    /// owner may read it.
    pub fn open(path: &Path) -> Result<Self, SearchError> {
        restrict(path).map_err(|error| SearchError::Index(error.to_string()))?;
        let writer = Connection::open(path).map_err(broken)?;
        schema::prepare(&writer)?;
        Ok(Self {
            inner: Arc::new(Inner {
                path: path.to_owned(),
                writer: Mutex::new(writer),
                readers: Mutex::default(),
                cache: RwLock::default(),
            }),
        })
    }

    /// Runs blocking work outside the async threads.
    async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Inner) -> Result<T, SearchError> + Send + 'static,
    ) -> Result<T, SearchError> {
        let inner = Arc::clone(&self.inner);
        match tokio::task::spawn_blocking(move || work(&inner)).await {
            Ok(done) => done,
            Err(_) => Err(SearchError::Index("the index worker panicked".to_owned())),
        }
    }
}

impl Inner {
    /// Runs work on a read-only connection.
    fn read<T>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, SearchError>,
    ) -> Result<T, SearchError> {
        let idle = self
            .readers
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .pop();
        let connection = match idle {
            Some(connection) => connection,
            None => {
                let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
                let connection = Connection::open_with_flags(&self.path, flags).map_err(broken)?;
                schema::tune_reader(&connection)?;
                connection
            }
        };
        let done = work(&connection);
        let mut readers = self.readers.lock().unwrap_or_else(PoisonError::into_inner);
        if readers.len() < READERS {
            readers.push(connection);
        }
        done
    }

    fn write<T>(
        &self,
        work: impl FnOnce(&mut Connection) -> Result<T, SearchError>,
    ) -> Result<T, SearchError> {
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        work(&mut writer)
    }
}

/// Creates the file before SQLite does, with rights for its owner alone. SQLite gives its
/// journals the rights of the file.
fn restrict(path: &Path) -> std::io::Result<()> {
    let mut options = std::fs::OpenOptions::new();
    options.create(true).append(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
        let file = options.mode(0o600).open(path)?;
        file.set_permissions(std::fs::Permissions::from_mode(0o600))
    }
    #[cfg(not(unix))]
    options.open(path).map(drop)
}

/// Wraps an SQLite error; shown to the operator.
fn broken(error: rusqlite::Error) -> SearchError {
    SearchError::Index(error.to_string())
}

#[async_trait]
impl Index for EmbeddedIndex {
    async fn list_versions(&self, place: &Place) -> Result<Vec<DocumentVersion>, SearchError> {
        let place = place.clone();
        self.work(move |inner| inner.read(|db| write::list_versions(db, &place)))
            .await
    }

    async fn put(&self, document: NewDocument) -> Result<(), SearchError> {
        self.work(move |inner| inner.write(|db| write::put(db, &document)))
            .await
    }

    async fn vectors(
        &self,
        place: &Place,
        url: &str,
        model: &str,
    ) -> Result<HashMap<Vec<u8>, Embedding>, SearchError> {
        let (place, url, model) = (place.clone(), url.to_owned(), model.to_owned());
        self.work(move |inner| inner.read(|db| write::vectors(db, &place, &url, &model)))
            .await
    }

    async fn remove(&self, place: &Place, urls: &[String]) -> Result<usize, SearchError> {
        let (place, urls) = (place.clone(), urls.to_vec());
        self.work(move |inner| inner.write(|db| write::remove(db, &place, &urls)))
            .await
    }

    async fn find(
        &self,
        query: &Query,
        vector: Option<&Embedding>,
    ) -> Result<Vec<Hit>, SearchError> {
        let (query, vector) = (query.clone(), vector.cloned());
        self.work(move |inner| {
            inner.read(|db| find::find(db, &inner.cache, &query, vector.as_ref()))
        })
        .await
    }

    async fn collections(&self, scopes: &[Uuid]) -> Result<Vec<Collection>, SearchError> {
        let scopes = scopes.to_vec();
        self.work(move |inner| inner.read(|db| write::collections(db, &scopes)))
            .await
    }

    async fn documents(
        &self,
        collection: &str,
        scopes: &[Uuid],
    ) -> Result<Vec<DocumentEntry>, SearchError> {
        let (collection, scopes) = (collection.to_owned(), scopes.to_vec());
        self.work(move |inner| inner.read(|db| write::documents(db, &collection, &scopes)))
            .await
    }

    async fn document(
        &self,
        collection: &str,
        scopes: &[Uuid],
        url: &str,
    ) -> Result<Option<StoredDocument>, SearchError> {
        let (collection, scopes, url) = (collection.to_owned(), scopes.to_vec(), url.to_owned());
        self.work(move |inner| inner.read(|db| write::document(db, &collection, &scopes, &url)))
            .await
    }

    async fn check(&self) -> Result<String, SearchError> {
        self.work(|inner| inner.read(write::check)).await
    }
}

#[cfg(test)]
#[path = "embedded_tests.rs"]
mod embedded_tests;
