//! Change notifications: `LISTEN`/`NOTIFY` on Postgres, an in-process broadcast on SQLite.
//! Notices are hints to read again, so lost ones are reported as a gap.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use tokio::sync::broadcast::{self, error::RecvError};

use crate::DbError;

/// Notices that a slow listener may lag behind before it gets a gap.
const BACKLOG: usize = 1024;
/// In bytes; Postgres accepts payloads shorter than 8000.
const MAX_PAYLOAD: usize = 7999;
/// In bytes; the length of a Postgres identifier.
const MAX_CHANNEL: usize = 63;

/// An item of a listener's stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// The payload of a committed notice.
    Message(String),
    /// Notices may have been lost (reconnect, slow listener): read the tables again.
    Gap,
}

/// A subscription to one channel.
pub struct Listener(broadcast::Receiver<Notice>);

impl Listener {
    /// The next notice; `None` after the database is closed.
    pub async fn next(&mut self) -> Option<Notice> {
        match self.0.recv().await {
            Ok(notice) => Some(notice),
            Err(RecvError::Lagged(_)) => Some(Notice::Gap),
            Err(RecvError::Closed) => None,
        }
    }
}

/// The channels that this process listens to.
#[derive(Default)]
pub(crate) struct ChannelRegistry(Mutex<HashMap<String, broadcast::Sender<Notice>>>);

impl ChannelRegistry {
    pub(crate) fn subscribe(&self, channel: &str) -> Listener {
        let mut channels = self.channels();
        channels.retain(|_, sender| sender.receiver_count() > 0);
        let receiver = match channels.get(channel) {
            Some(sender) => sender.subscribe(),
            None => {
                let (sender, receiver) = broadcast::channel(BACKLOG);
                channels.insert(channel.to_owned(), sender);
                receiver
            }
        };
        Listener(receiver)
    }

    pub(crate) fn publish(&self, channel: &str, payload: &str) {
        if let Some(sender) = self.channels().get(channel) {
            // Fails only without listeners, which is fine.
            sender.send(Notice::Message(payload.to_owned())).ok();
        }
    }

    pub(crate) fn publish_gap(&self) {
        for sender in self.channels().values() {
            sender.send(Notice::Gap).ok();
        }
    }

    pub(crate) fn names(&self) -> Vec<String> {
        self.channels().keys().cloned().collect()
    }

    pub(crate) fn close(&self) {
        self.channels().clear();
    }

    fn channels(&self) -> MutexGuard<'_, HashMap<String, broadcast::Sender<Notice>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Applies the limits of Postgres on both databases.
pub(crate) fn check(channel: &str, payload: &str) -> Result<(), DbError> {
    if channel.is_empty() || channel.len() > MAX_CHANNEL || channel.contains('\0') {
        return Err(DbError::bad_value(
            "channel",
            format!("must have 1 to {MAX_CHANNEL} bytes and no NUL"),
        ));
    }
    if payload.len() > MAX_PAYLOAD || payload.contains('\0') {
        return Err(DbError::bad_value(
            "payload",
            format!(
                "must have at most {MAX_PAYLOAD} bytes and no NUL; send an id and let the listener read the row"
            ),
        ));
    }
    Ok(())
}
