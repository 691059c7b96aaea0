//! Hearing, on any node, that a turn went on: so that those who watch it look again at once.

use frontdesk_core::id::TurnId;
use frontdesk_core::store::StoreError;
use frontdesk_db::{Listener, Notice, Tx};
use uuid::Uuid;

use crate::store::Store;
use crate::tx_error::{TxError, store_error};

const CHANNEL: &str = "turn";
const CANCEL: &str = "cancel";

/// What is heard of turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum News {
    /// Its journal or its state changed.
    WentOn(TurnId),
    /// Somebody wants it to stop.
    Cancelled(TurnId),
    /// Something may have been missed: look at everything that matters.
    Gap,
}

/// What happens to turns on every node, from the moment this was made. Hints: a node that
/// dies takes its last ones with it.
pub struct TurnNews(Listener);

impl TurnNews {
    /// `None` after the database was closed.
    pub async fn next(&mut self) -> Option<News> {
        match self.0.next().await? {
            Notice::Message(text) => Some(read(&text)),
            Notice::Gap => Some(News::Gap),
        }
    }
}

impl Store {
    pub async fn news(&self) -> Result<TurnNews, StoreError> {
        let listener = self.db().listen(CHANNEL).await.map_err(store_error)?;
        Ok(TurnNews(listener))
    }
}

fn read(text: &str) -> News {
    let (id, what) = text.split_once(' ').unwrap_or((text, ""));
    match (Uuid::parse_str(id), what) {
        (Ok(id), CANCEL) => News::Cancelled(TurnId::from_uuid(id)),
        (Ok(id), _) => News::WentOn(TurnId::from_uuid(id)),
        // From a newer release, perhaps: something happened.
        (Err(_), _) => News::Gap,
    }
}

/// Wakes those who watch the turn.
pub(crate) fn announce(tx: &mut Tx, turn: TurnId) -> Result<(), TxError> {
    Ok(tx.notify(CHANNEL, &turn.to_string())?)
}

/// Tells the worker of the turn, wherever it runs, to stop.
pub(crate) fn announce_cancel(tx: &mut Tx, turn: TurnId) -> Result<(), TxError> {
    Ok(tx.notify(CHANNEL, &format!("{turn} {CANCEL}"))?)
}
