//! Storage of accepted photos by generated key: a local folder, or an S3-compatible bucket.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use object_store::aws::{AmazonS3, AmazonS3Builder};
use object_store::path::Path as Key;
use object_store::{ClientOptions, ObjectStoreExt, RetryConfig};
use secrecy::{ExposeSecret, SecretString};
use tokio::io::AsyncWriteExt;
use uuid::Uuid;

/// Older temporary files are left over from interrupted writes.
const ABANDONED_AFTER: Duration = Duration::from_secs(3600);

/// A handle to the photos, cheap to clone.
#[derive(Clone)]
pub struct Photos(Arc<Place>);

enum Place {
    Folder(PathBuf),
    Bucket { name: String, store: AmazonS3 },
}

#[derive(Clone, Debug)]
pub struct Bucket {
    /// `https://s3.eu-central-1.amazonaws.com`, or that of another provider.
    pub endpoint: String,
    pub region: String,
    pub name: String,
    pub access_key_id: String,
    pub secret_access_key: SecretString,
    /// Allows plain http, for a bucket on the same machine.
    pub allow_http: bool,
}

/// A photo could not be written, read or removed. For the operator.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("the photo folder {path}: {source}; check that it exists, is writable and has space")]
    Folder { path: PathBuf, source: io::Error },
    #[error("the photo bucket {name}: {source}")]
    Bucket {
        name: String,
        source: Box<object_store::Error>,
    },
}

impl StoreError {
    /// True if the storage is full.
    pub fn is_full(&self) -> bool {
        match self {
            StoreError::Folder { source, .. } => {
                matches!(
                    source.kind(),
                    io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded
                )
            }
            StoreError::Bucket { .. } => false,
        }
    }
}

impl Photos {
    /// A local folder, created if missing. Deletes leftovers of interrupted writes.
    pub fn folder(root: impl Into<PathBuf>) -> Result<Photos, StoreError> {
        let root = root.into();
        std::fs::create_dir_all(&root)
            .and_then(|()| sweep(&root))
            .map_err(folder_error(&root))?;
        Ok(Photos(Arc::new(Place::Folder(root))))
    }

    /// An S3-compatible bucket. The process must have a TLS provider installed.
    pub fn bucket(bucket: &Bucket) -> Result<Photos, StoreError> {
        let store = AmazonS3Builder::new()
            .with_endpoint(&bucket.endpoint)
            .with_region(&bucket.region)
            .with_bucket_name(&bucket.name)
            .with_access_key_id(&bucket.access_key_id)
            .with_secret_access_key(bucket.secret_access_key.expose_secret())
            .with_allow_http(bucket.allow_http)
            // Photos are deleted singly, and not every provider supports bulk deletion.
            .with_disable_bulk_delete(true)
            .with_client_options(
                ClientOptions::new()
                    .with_timeout(Duration::from_secs(30))
                    .with_allow_http(bucket.allow_http),
            )
            .with_retry(RetryConfig {
                max_retries: 2,
                retry_timeout: Duration::from_secs(10),
                ..RetryConfig::default()
            })
            .build()
            .map_err(bucket_error(&bucket.name))?;
        let name = bucket.name.clone();
        Ok(Photos(Arc::new(Place::Bucket { name, store })))
    }

    /// Stores `bytes` durably and atomically.
    pub(crate) async fn put(&self, key: &str, bytes: Bytes) -> Result<(), StoreError> {
        match &*self.0 {
            Place::Folder(root) => {
                let written = write(root, &root.join(key), &bytes).await;
                written.map_err(folder_error(&root.join(key)))
            }
            Place::Bucket { name, store } => {
                let written = store.put(&Key::from(key), bytes.into()).await;
                written.map(drop).map_err(bucket_error(name))
            }
        }
    }

    pub(crate) async fn get(&self, key: &str) -> Result<Option<Bytes>, StoreError> {
        match &*self.0 {
            Place::Folder(root) => match tokio::fs::read(root.join(key)).await {
                Ok(bytes) => Ok(Some(bytes.into())),
                Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
                Err(error) => Err(folder_error(&root.join(key))(error)),
            },
            Place::Bucket { name, store } => {
                let found = match store.get(&Key::from(key)).await {
                    Ok(found) => found.bytes().await,
                    Err(error) => Err(error),
                };
                match found {
                    Ok(bytes) => Ok(Some(bytes)),
                    Err(object_store::Error::NotFound { .. }) => Ok(None),
                    Err(error) => Err(bucket_error(name)(error)),
                }
            }
        }
    }

    /// A missing photo counts as deleted.
    pub(crate) async fn delete(&self, key: &str) -> Result<(), StoreError> {
        match &*self.0 {
            Place::Folder(root) => match tokio::fs::remove_file(root.join(key)).await {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    Err(folder_error(&root.join(key))(error))
                }
                Ok(()) | Err(_) => Ok(()),
            },
            Place::Bucket { name, store } => match store.delete(&Key::from(key)).await {
                Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
                Err(error) => Err(bucket_error(name)(error)),
            },
        }
    }
}

fn folder_error(path: &Path) -> impl FnOnce(io::Error) -> StoreError {
    let path = path.to_owned();
    |source| StoreError::Folder { path, source }
}

fn bucket_error(name: &str) -> impl FnOnce(object_store::Error) -> StoreError {
    let name = name.to_owned();
    |source| StoreError::Bucket {
        name,
        source: Box::new(source),
    }
}

fn sweep(root: &Path) -> io::Result<()> {
    let now = SystemTime::now();
    for entry in std::fs::read_dir(root)? {
        let entry = entry?;
        let age = entry
            .metadata()?
            .modified()
            .ok()
            .and_then(|then| now.duration_since(then).ok());
        let temporary = entry
            .path()
            .extension()
            .is_some_and(|extension| extension == "tmp");
        if temporary && age.is_some_and(|age| age > ABANDONED_AFTER) {
            std::fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// Writes a temporary file, syncs it to disk, then renames it.
async fn write(root: &Path, place: &Path, bytes: &[u8]) -> io::Result<()> {
    let temporary = root.join(format!("{}.tmp", Uuid::now_v7()));
    let written = async {
        let mut file = tokio::fs::File::create(&temporary).await?;
        file.write_all(bytes).await?;
        file.sync_all().await?;
        tokio::fs::rename(&temporary, place).await?;
        tokio::fs::File::open(root).await?.sync_all().await
    };
    let written = written.await;
    if written.is_err() {
        // Best effort: the next start deletes the leftover.
        let _ = tokio::fs::remove_file(&temporary).await;
    }
    written
}
