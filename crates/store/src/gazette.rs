//! Telling what happened, once it is committed, to every node.

use frontdesk_core::approval::ApprovalCard;
use frontdesk_core::id::{ConversationId, TurnId};
use frontdesk_core::news::{ApprovalStep, News};
use frontdesk_core::store::StoreError;
use frontdesk_db::{Listener, Notice, Tx};

use crate::Store;
use crate::rows::optional_id;
use crate::tx_error::{TxError, store_error, unreadable};

const CHANNEL: &str = "news";
/// Models make up the ids of their calls; a notice has little room.
const LONGEST_CALL_ID: usize = 200;

/// What a node hears.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heard {
    News(News),
    /// Something may have been missed: look at everything again.
    Gap,
}

/// Hears the news from the moment it was made.
pub struct Gazette(Listener);

impl Gazette {
    /// `None` after the database was closed.
    pub async fn next(&mut self) -> Option<Heard> {
        loop {
            match self.0.next().await? {
                Notice::Gap => return Some(Heard::Gap),
                // A newer node may tell what we do not know yet.
                Notice::Message(text) => {
                    if let Ok(news) = serde_json::from_str(&text) {
                        return Some(Heard::News(news));
                    }
                }
            }
        }
    }
}

impl Store {
    /// What is told from now on.
    pub async fn gazette(&self) -> Result<Gazette, StoreError> {
        let listener = self.db().listen(CHANNEL).await.map_err(store_error)?;
        Ok(Gazette(listener))
    }

    /// Tells what happened outside of a transaction of ours.
    pub fn tell(&self, news: &News) {
        match written(news) {
            Ok(text) => self.db().notify(CHANNEL, &text),
            Err(_) => tracing::error!("news cannot be written"),
        }
    }
}

/// Tells once this transaction is committed.
pub(crate) fn tell(tx: &mut Tx, news: &News) -> Result<(), TxError> {
    Ok(tx.notify(CHANNEL, &written(news)?)?)
}

fn written(news: &News) -> Result<String, TxError> {
    serde_json::to_string(news).map_err(|_| unreadable("news"))
}

/// A card was laid out in a conversation, whose company is looked up.
pub(crate) async fn card_laid_out(
    tx: &mut Tx,
    conversation: ConversationId,
    turn: TurnId,
    card: &ApprovalCard,
) -> Result<(), TxError> {
    let sql = "SELECT company_id FROM conversations WHERE id = $1";
    let company = match tx.row(sql, &[conversation.uuid().into()]).await? {
        Some(row) => optional_id(&row, "company_id")?,
        None => None,
    };
    let news = News::Approval {
        step: ApprovalStep::Requested,
        conversation,
        turn,
        call_id: short(&card.call_id),
        requester: card.requested_by,
        company,
        approvers: card.approvers.clone(),
    };
    tell(tx, &news)
}

pub(crate) fn short(call_id: &str) -> String {
    call_id.chars().take(LONGEST_CALL_ID).collect()
}
