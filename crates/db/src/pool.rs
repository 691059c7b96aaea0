//! A bounded connection pool. Only an explicit return puts a connection back; one in an
//! unknown state is dropped, so no borrower inherits an open transaction.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::sync::{AcquireError, OwnedSemaphorePermit, Semaphore};

use crate::DbError;

/// The class of a borrower. Some connections are reserved for the platform, so that running
/// turns and lease renewals proceed under any request load.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lane {
    Request,
    Platform,
}

/// Idle connections, and permits to open more up to the limit.
pub(crate) struct Pool<T> {
    idle: Mutex<Vec<T>>,
    permits: Arc<Semaphore>,
    /// Limits the connections held by user requests.
    requests: Arc<Semaphore>,
    size: u32,
    patience: Duration,
    place: String,
}

/// A snapshot of the pool's counters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PoolState {
    pub in_use: usize,
    pub idle: usize,
    pub most: usize,
}

/// The permit to use one connection.
pub(crate) struct Ticket<T> {
    pool: Arc<Pool<T>>,
    _permit: OwnedSemaphorePermit,
    _request: Option<OwnedSemaphorePermit>,
}

/// One connection in this many is reserved for the platform; at least one if there are two
/// or more.
const PLATFORM_SHARE: u32 = 5;

impl<T> Pool<T> {
    pub(crate) fn new(size: u32, patience: Duration, place: String) -> Self {
        let size = size.max(1);
        Pool {
            idle: Mutex::new(Vec::new()),
            permits: Arc::new(Semaphore::new(size as usize)),
            requests: Arc::new(Semaphore::new(for_requests(size) as usize)),
            size,
            patience,
            place,
        }
    }

    /// Waits for a permit, in order of arrival, up to the timeout.
    pub(crate) async fn ticket(self: &Arc<Self>, lane: Lane) -> Result<Ticket<T>, DbError> {
        let places = async {
            let request = match lane {
                Lane::Request => Some(Arc::clone(&self.requests).acquire_owned().await?),
                Lane::Platform => None,
            };
            let permit = Arc::clone(&self.permits).acquire_owned().await?;
            Ok::<_, AcquireError>((permit, request))
        };
        let (permit, request) = tokio::time::timeout(self.patience, places)
            .await
            .map_err(|_| DbError::PoolExhausted {
                place: self.place.clone(),
                waited: self.patience,
            })?
            .map_err(|_| closed(&self.place))?;
        Ok(Ticket {
            pool: Arc::clone(self),
            _permit: permit,
            _request: request,
        })
    }

    pub(crate) fn state(&self) -> PoolState {
        let most = self.size as usize;
        PoolState {
            in_use: most.saturating_sub(self.permits.available_permits()),
            idle: self.idle().len(),
            most,
        }
    }

    /// Waits for running work, refuses new work and drops the connections.
    pub(crate) async fn close(&self) {
        // An error means that the pool is closed already.
        let all = self.permits.acquire_many(self.size).await;
        self.permits.close();
        self.requests.close();
        drop(all);
        self.idle().clear();
    }

    fn idle(&self) -> MutexGuard<'_, Vec<T>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> Ticket<T> {
    /// The most recently used idle connection.
    pub(crate) fn take_idle(&self) -> Option<T> {
        self.pool.idle().pop()
    }

    /// Returns a connection that is certainly outside of any transaction.
    pub(crate) fn give_back(self, connection: T) {
        if !self.pool.permits.is_closed() {
            self.pool.idle().push(connection);
        }
    }
}

fn for_requests(size: u32) -> u32 {
    if size < 2 {
        return size;
    }
    size - (size / PLATFORM_SHARE).max(1)
}

/// The error of every call after [`crate::Db::close`].
pub(crate) fn closed(place: &str) -> DbError {
    DbError::Unavailable {
        place: place.to_owned(),
        reason: "the database was closed because the program is stopping; start the program again"
            .to_owned(),
    }
}
