//! The change feed: after a commit, every node learns what changed. Items are hints that carry
//! ids; a node that crashes may lose its last ones.

use frontdesk_core::approval::ApprovalCard;
use frontdesk_core::change_notice::{ApprovalStep, ChangeNotice};
use frontdesk_core::id::{ConversationId, TurnId};
use frontdesk_core::store::StoreError;
use frontdesk_db::{Listener, Notice, Tx};
use uuid::Uuid;

use crate::Store;
use crate::tx_error::{TxError, store_error, unreadable};

const TURNS: &str = "turn";
const NOTICES: &str = "news";
const CANCEL: &str = "cancel";
/// In characters. Models choose the ids of their calls, and a payload has a size limit.
const MAX_CALL_ID: usize = 200;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FeedItem {
    /// The journal or the state of the turn changed.
    TurnAdvanced(TurnId),
    /// Somebody asked the turn to stop.
    TurnCancelled(TurnId),
    Notice(ChangeNotice),
    /// Items may be missing: read the state again.
    Gap,
}

/// The changes of every node since this was created.
pub struct ChangeFeed {
    turns: Listener,
    notices: Listener,
}

impl ChangeFeed {
    /// `None` after the database was closed.
    pub async fn next(&mut self) -> Option<FeedItem> {
        loop {
            let item = tokio::select! {
                notice = self.turns.next() => Some(match notice? {
                    Notice::Message(text) => parse_turn(&text),
                    Notice::Gap => FeedItem::Gap,
                }),
                notice = self.notices.next() => match notice? {
                    // A newer node may send notices that this release does not know.
                    Notice::Message(text) => serde_json::from_str(&text).ok().map(FeedItem::Notice),
                    Notice::Gap => Some(FeedItem::Gap),
                },
            };
            if item.is_some() {
                return item;
            }
        }
    }
}

impl Store {
    pub async fn change_feed(&self) -> Result<ChangeFeed, StoreError> {
        let turns = self.db().listen(TURNS).await.map_err(store_error)?;
        let notices = self.db().listen(NOTICES).await.map_err(store_error)?;
        Ok(ChangeFeed { turns, notices })
    }

    /// Publishes a change that was committed outside of the store's transactions.
    pub fn publish(&self, notice: &ChangeNotice) {
        match serialize(notice) {
            Ok(text) => self.db().notify(NOTICES, &text),
            Err(_) => tracing::error!("a change notice cannot be serialised"),
        }
    }
}

fn parse_turn(text: &str) -> FeedItem {
    let (id, action) = text.split_once(' ').unwrap_or((text, ""));
    match (Uuid::parse_str(id), action) {
        (Ok(id), CANCEL) => FeedItem::TurnCancelled(TurnId::from_uuid(id)),
        (Ok(id), _) => FeedItem::TurnAdvanced(TurnId::from_uuid(id)),
        // Possibly from a newer release: something happened.
        (Err(_), _) => FeedItem::Gap,
    }
}

/// Wakes the watchers of the turn when the transaction commits.
pub(crate) fn publish_turn(tx: &mut Tx, turn: TurnId) -> Result<(), TxError> {
    Ok(tx.notify(TURNS, &turn.to_string())?)
}

/// Stops the worker of the turn, on whichever node it runs, when the transaction commits.
pub(crate) fn publish_cancel(tx: &mut Tx, turn: TurnId) -> Result<(), TxError> {
    Ok(tx.notify(TURNS, &format!("{turn} {CANCEL}"))?)
}

/// Publishes the notice when the transaction commits.
pub(crate) fn publish(tx: &mut Tx, notice: &ChangeNotice) -> Result<(), TxError> {
    Ok(tx.notify(NOTICES, &serialize(notice)?)?)
}

fn serialize(notice: &ChangeNotice) -> Result<String, TxError> {
    serde_json::to_string(notice).map_err(|_| unreadable("a change notice"))
}

/// Publishes that a card waits for a decision.
pub(crate) async fn publish_card(
    tx: &mut Tx,
    conversation: ConversationId,
    turn: TurnId,
    card: &ApprovalCard,
) -> Result<(), TxError> {
    let sql = "SELECT company_id FROM conversations WHERE id = $1";
    let company = match tx.row(sql, &[conversation.into()]).await? {
        Some(row) => row.get("company_id")?,
        None => None,
    };
    let notice = ChangeNotice::Approval {
        step: ApprovalStep::Requested,
        conversation,
        turn,
        call_id: short_call_id(&card.call_id),
        requester: card.requested_by,
        company,
        approvers: card.approvers.clone(),
    };
    publish(tx, &notice)
}

pub(crate) fn short_call_id(call_id: &str) -> String {
    call_id.chars().take(MAX_CALL_ID).collect()
}
