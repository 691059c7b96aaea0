//! A bounded set of connections. A connection comes back only when it was handed back on purpose:
//! one whose state is in doubt is simply dropped, so that no transaction of an earlier borrower is
//! ever met by a later one.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::sync::{AcquireError, OwnedSemaphorePermit, Semaphore};

use crate::DbError;

/// Who asks for a connection. However many people knock, what was accepted is carried on and
/// leases are kept: some connections are not for people's requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lane {
    Request,
    Platform,
}

/// Idle connections and the right to open more, up to a limit.
pub(crate) struct Pool<T> {
    idle: Mutex<Vec<T>>,
    permits: Arc<Semaphore>,
    /// How many of them people's requests may have.
    requests: Arc<Semaphore>,
    size: u32,
    patience: Duration,
    place: String,
}

/// What becomes of the connections at this moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PoolState {
    pub in_use: usize,
    pub idle: usize,
    pub most: usize,
}

/// The right to use one connection.
pub(crate) struct Ticket<T> {
    pool: Arc<Pool<T>>,
    _permit: OwnedSemaphorePermit,
    _request: Option<OwnedSemaphorePermit>,
}

/// One connection in so many is kept for the platform, and at least one where there are two.
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

    /// Waits for a free place, first come, first served, and not for ever.
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

    /// Lets everyone finish, refuses newcomers and drops the connections.
    pub(crate) async fn close(&self) {
        // An error means that someone closed the pool before: nothing is left to wait for.
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
    /// The connection that was used last, while there is an idle one.
    pub(crate) fn take_idle(&self) -> Option<T> {
        self.pool.idle().pop()
    }

    /// Hands a connection back that is known to be outside of any transaction.
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

/// What everyone hears who comes after [`crate::Db::close`].
pub(crate) fn closed(place: &str) -> DbError {
    DbError::Unavailable {
        place: place.to_owned(),
        reason: "it was closed because the program is stopping; start it again".to_owned(),
    }
}
