//! Storage of accepted photos by generated key: a local folder, or an S3-compatible bucket.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use async_trait::async_trait;
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
pub struct Photos(Arc<dyn PhotoStore>);

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
    Folder {
        path: PathBuf,
        source: std::io::Error,
    },
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
                    std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded
                )
            }
            StoreError::Bucket { .. } => false,
        }
    }
}

#[async_trait]
trait PhotoStore: Send + Sync {
    /// Stores `bytes` durably and atomically.
    async fn put(&self, key: &str, bytes: Bytes) -> Result<(), StoreError>;
    async fn get(&self, key: &str) -> Result<Option<Bytes>, StoreError>;
    async fn delete(&self, key: &str) -> Result<(), StoreError>;
}

impl Photos {
    /// A local folder, created if missing. Deletes leftovers of interrupted writes.
    pub fn folder(root: impl Into<PathBuf>) -> Result<Photos, StoreError> {
        let folder = Folder { root: root.into() };
        std::fs::create_dir_all(&folder.root)
            .map_err(|source| folder.error(&folder.root, source))?;
        folder
            .sweep()
            .map_err(|source| folder.error(&folder.root, source))?;
        Ok(Photos(Arc::new(folder)))
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
            .map_err(|source| StoreError::Bucket {
                name: bucket.name.clone(),
                source: Box::new(source),
            })?;
        Ok(Photos(Arc::new(RemoteBucket {
            name: bucket.name.clone(),
            store,
        })))
    }

    pub(crate) async fn put(&self, key: &str, bytes: Bytes) -> Result<(), StoreError> {
        self.0.put(key, bytes).await
    }

    pub(crate) async fn get(&self, key: &str) -> Result<Option<Bytes>, StoreError> {
        self.0.get(key).await
    }

    pub(crate) async fn delete(&self, key: &str) -> Result<(), StoreError> {
        self.0.delete(key).await
    }
}

struct Folder {
    root: PathBuf,
}

impl Folder {
    fn error(&self, path: &Path, source: std::io::Error) -> StoreError {
        StoreError::Folder {
            path: path.to_owned(),
            source,
        }
    }

    fn sweep(&self) -> std::io::Result<()> {
        let now = SystemTime::now();
        for entry in std::fs::read_dir(&self.root)? {
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
    async fn write(&self, temporary: &Path, place: &Path, bytes: &[u8]) -> std::io::Result<()> {
        let mut file = tokio::fs::File::create(temporary).await?;
        file.write_all(bytes).await?;
        file.sync_all().await?;
        tokio::fs::rename(temporary, place).await?;
        tokio::fs::File::open(&self.root).await?.sync_all().await
    }
}

#[async_trait]
impl PhotoStore for Folder {
    async fn put(&self, key: &str, bytes: Bytes) -> Result<(), StoreError> {
        let place = self.root.join(key);
        let temporary = self.root.join(format!("{}.tmp", Uuid::now_v7()));
        let written = self.write(&temporary, &place, &bytes).await;
        if written.is_err() {
            // Best effort: the next start deletes the leftover.
            let _ = tokio::fs::remove_file(&temporary).await;
        }
        written.map_err(|source| self.error(&place, source))
    }

    async fn get(&self, key: &str) -> Result<Option<Bytes>, StoreError> {
        let place = self.root.join(key);
        match tokio::fs::read(&place).await {
            Ok(bytes) => Ok(Some(bytes.into())),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(source) => Err(self.error(&place, source)),
        }
    }

    async fn delete(&self, key: &str) -> Result<(), StoreError> {
        let place = self.root.join(key);
        match tokio::fs::remove_file(&place).await {
            Err(source) if source.kind() != std::io::ErrorKind::NotFound => {
                Err(self.error(&place, source))
            }
            Ok(()) | Err(_) => Ok(()),
        }
    }
}

struct RemoteBucket {
    name: String,
    store: AmazonS3,
}

impl RemoteBucket {
    fn error(&self, source: object_store::Error) -> StoreError {
        StoreError::Bucket {
            name: self.name.clone(),
            source: Box::new(source),
        }
    }
}

#[async_trait]
impl PhotoStore for RemoteBucket {
    async fn put(&self, key: &str, bytes: Bytes) -> Result<(), StoreError> {
        let written = self.store.put(&Key::from(key), bytes.into()).await;
        written.map(|_| ()).map_err(|source| self.error(source))
    }

    async fn get(&self, key: &str) -> Result<Option<Bytes>, StoreError> {
        let found = match self.store.get(&Key::from(key)).await {
            Ok(found) => found.bytes().await,
            Err(error) => Err(error),
        };
        match found {
            Ok(bytes) => Ok(Some(bytes)),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(source) => Err(self.error(source)),
        }
    }

    async fn delete(&self, key: &str) -> Result<(), StoreError> {
        match self.store.delete(&Key::from(key)).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(source) => Err(self.error(source)),
        }
    }
}
