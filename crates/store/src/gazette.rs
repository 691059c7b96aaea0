//! Telling what happened, once it is committed, to every node.

use frontdesk_core::approval::ApprovalCard;
use frontdesk_core::id::{ConversationId, TurnId};
use frontdesk_core::news::{ApprovalStep, News};
use frontdesk_core::store::StoreError;
use frontdesk_db::{Dialect, Listener, Notice, Tx};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::Store;
use crate::fault::{Fault, store_error, unreadable};

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
                Notice::Said(text) => {
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
}

pub(crate) async fn tell(tx: &mut Tx, news: &News) -> Result<(), Fault> {
    let text = serde_json::to_string(news).map_err(|_| unreadable("news"))?;
    Ok(tx.notify(CHANNEL, &text).await?)
}

/// For those who know only the conversation's id; owner and company are looked up.
pub(crate) async fn conversation_changed(
    tx: &mut Tx,
    conversation: ConversationId,
) -> Result<(), Fault> {
    let news = json!({ "kind": "conversation", "conversation": conversation });
    about(tx, conversation, news).await
}

pub(crate) async fn card_laid_out(
    tx: &mut Tx,
    conversation: ConversationId,
    turn: TurnId,
    card: &ApprovalCard,
) -> Result<(), Fault> {
    let news = json!({
        "kind": "approval",
        "step": ApprovalStep::Requested,
        "conversation": conversation,
        "turn": turn,
        "call_id": short(&card.call_id),
        "requester": card.requested_by,
        "approvers": card.approvers,
    });
    about(tx, conversation, news).await
}

pub(crate) fn short(call_id: &str) -> String {
    call_id.chars().take(LONGEST_CALL_ID).collect()
}

/// Adds owner and company of a conversation. On Postgres that costs no round trip.
async fn about(tx: &mut Tx, conversation: ConversationId, mut news: Value) -> Result<(), Fault> {
    let id = conversation.uuid().into();
    match tx.dialect() {
        Dialect::Postgres => Ok(tx
            .execute_later(
                "SELECT pg_notify('news', ($2::text::jsonb || jsonb_build_object('owner', c.user_id, \
                     'company', c.company_id))::text) FROM conversations c WHERE c.id = $1",
                vec![id, news.to_string().into()],
            )
            .await?),
        Dialect::Sqlite => {
            let sql = "SELECT user_id, company_id FROM conversations WHERE id = $1";
            let Some(row) = tx.row(sql, &[id]).await? else {
                return Ok(());
            };
            news["owner"] = json!(row.get::<Uuid>("user_id")?);
            news["company"] = json!(row.get::<Option<Uuid>>("company_id")?);
            Ok(tx.notify(CHANNEL, &news.to_string()).await?)
        }
    }
}
