//! Turns as those see them who watch and steer them.

use chrono::{DateTime, Utc};
use frontdesk_core::access::Principal;
use frontdesk_core::approval::{ApprovalCard, Decision};
use frontdesk_core::event::{Entry, Event};
use frontdesk_core::id::{ConversationId, ProfileId, TurnId};
use frontdesk_core::outcome::TurnState;
use frontdesk_core::store::{AuditOutcome, Speaker, StoreError, StoredMessage, TurnStatus};
use frontdesk_db::{Row, Tx, Value};
use serde_json::{Map, json};

use crate::Store;
use crate::access::{self, ACCESS, Kind, refusal};
use crate::approvals::WITHDRAWN;
use crate::audit::{self, TurnFact};
use crate::authors;
use crate::change_feed::publish_cancel;
use crate::rows::{self, AGENT_MESSAGE, USER_MESSAGE, int, optional_json};
use crate::turns::{UNLEASED, append_next, entry};
use crate::tx_error::TxError;

/// Storage for watching and cancelling turns.
impl Store {
    pub async fn turn(
        &self,
        who: &Principal,
        conversation: ConversationId,
        turn: TurnId,
    ) -> Result<TurnStatus, StoreError> {
        self.read(who, move |tx, me| {
            Box::pin(status(tx, me, conversation, turn))
        })
        .await
    }

    /// Journal entries after a position, in order.
    pub async fn entries(
        &self,
        who: &Principal,
        conversation: ConversationId,
        turn: TurnId,
        after: u64,
    ) -> Result<Vec<Entry>, StoreError> {
        self.read(who, move |tx, me| {
            Box::pin(entries(tx, me, conversation, turn, after))
        })
        .await
    }

    /// Asks the worker to stop. `false` if the turn has ended.
    pub async fn cancel(
        &self,
        who: &Principal,
        conversation: ConversationId,
        turn: TurnId,
        now: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        self.write_again(who, || {
            let who = who.clone();
            Box::new(move |tx| {
                Box::pin(async move { cancel(tx, &who, conversation, turn, now).await })
            })
        })
        .await
    }
}

async fn status(
    tx: &mut Tx,
    me: ProfileId,
    conversation: ConversationId,
    turn: TurnId,
) -> Result<TurnStatus, TxError> {
    let author = authors::columns(tx.dialect(), "t.user_message_id");
    let sql = format!(
        "SELECT {author}, t.id, t.state, t.outcome, t.position, t.started_at, t.ended_at, t.user_message_id, \
             um.id AS um_id, um.role AS um_role, um.content AS um_content, \
             um.metadata AS um_metadata, um.created_at AS um_created_at, \
             am.id AS am_id, am.role AS am_role, am.content AS am_content, \
             am.metadata AS am_metadata, am.created_at AS am_created_at \
         FROM conversations c LEFT JOIN turns t ON t.conversation_id = c.id AND t.id = $3 \
         LEFT JOIN messages um ON um.id = t.user_message_id \
         LEFT JOIN messages am ON am.id = t.agent_message_id \
         WHERE c.id = $2 AND {ACCESS}"
    );
    let row = turn_row(tx, &sql, me, conversation, turn).await?;
    let state: TurnState = rows::named(&row, "state")?;
    let started_at = row.get("started_at")?;
    let user_message = match rows::message(&row, conversation.uuid(), &USER_MESSAGE)? {
        Some(message) => message,
        None => cleared(conversation, &row, started_at)?,
    };
    let approvals = match state {
        TurnState::AwaitingApproval => open_cards(tx, turn).await?,
        TurnState::Running
        | TurnState::Completed
        | TurnState::Failed
        | TurnState::Cancelled
        | TurnState::Interrupted => Vec::new(),
    };
    Ok(TurnStatus {
        id: turn,
        conversation_id: conversation,
        state,
        outcome: optional_json(&row, "outcome")?,
        user_message,
        agent_message: rows::message(&row, conversation.uuid(), &AGENT_MESSAGE)?,
        approvals,
        position: row.get("position")?,
        started_at,
        ended_at: row.get("ended_at")?,
    })
}

/// The row of a turn of a conversation that this person may see.
async fn turn_row(
    tx: &mut Tx,
    sql: &str,
    me: ProfileId,
    conversation: ConversationId,
    turn: TurnId,
) -> Result<Row, TxError> {
    let values: [Value; 3] = [me.into(), conversation.into(), turn.into()];
    let Some(row) = tx.row(sql, &values).await? else {
        return Err(refusal(tx, Kind::Conversation, conversation.uuid()).await?);
    };
    match row.get::<Option<TurnId>>("id")? {
        Some(_) => Ok(row),
        None => Err(StoreError::NotFound.into()),
    }
}

/// The placeholder for a message that was erased while its turn ran.
fn cleared(
    conversation: ConversationId,
    row: &Row,
    at: DateTime<Utc>,
) -> Result<StoredMessage, TxError> {
    Ok(StoredMessage {
        id: row.get("user_message_id")?,
        conversation_id: conversation,
        role: Speaker::User,
        author: authors::read(row)?,
        content: String::new(),
        metadata: Map::from_iter([("cleared".to_owned(), json!(true))]),
        created_at: at,
        rating: None,
        versions: Vec::new(),
    })
}

async fn open_cards(tx: &mut Tx, turn: TurnId) -> Result<Vec<ApprovalCard>, TxError> {
    let found = tx
        .rows(
            "SELECT card FROM approvals WHERE turn_id = $1 AND decision IS NULL \
             ORDER BY requested_at, call_id",
            &[turn.into()],
        )
        .await?;
    found.iter().map(|row| rows::json(row, "card")).collect()
}

async fn entries(
    tx: &mut Tx,
    me: ProfileId,
    conversation: ConversationId,
    turn: TurnId,
    after: u64,
) -> Result<Vec<Entry>, TxError> {
    let sql = format!(
        "SELECT t.id, j.position, j.event FROM conversations c \
         LEFT JOIN turns t ON t.conversation_id = c.id AND t.id = $3 \
         LEFT JOIN journal j ON j.turn_id = t.id AND j.position > $4 \
         WHERE c.id = $2 AND {ACCESS} ORDER BY j.position"
    );
    // A position beyond the largest number has nothing behind it.
    let after_value = int(after.min(i64::MAX.cast_unsigned()))?;
    let values: [Value; 4] = [me.into(), conversation.into(), turn.into(), after_value];
    let found = tx.last_rows(&sql, &values).await?;
    let Some(first) = found.first() else {
        return Err(refusal(tx, Kind::Conversation, conversation.uuid()).await?);
    };
    if first.get::<Option<TurnId>>("id")?.is_none() {
        return Err(StoreError::NotFound.into());
    }
    let mut entries = Vec::with_capacity(found.len());
    for row in &found {
        if row.get::<Option<i64>>("position")?.is_some() {
            entries.extend(entry(row)?.after(after));
        }
    }
    Ok(entries)
}

async fn cancel(
    tx: &mut Tx,
    who: &Principal,
    conversation: ConversationId,
    turn: TurnId,
    now: DateTime<Utc>,
) -> Result<bool, TxError> {
    access::lock(tx, conversation).await?;
    let sql = format!(
        "SELECT t.id FROM conversations c \
         LEFT JOIN turns t ON t.conversation_id = c.id AND t.id = $3 \
         WHERE c.id = $2 AND {ACCESS}"
    );
    turn_row(tx, &sql, who.profile(), conversation, turn).await?;
    let changed = tx
        .row(
            "UPDATE turns SET cancel_requested = true, lease_until = \
                 CASE WHEN state = 'awaiting_approval' THEN $3 ELSE lease_until END \
             WHERE id = $1 AND conversation_id = $2 AND state IN ('running', 'awaiting_approval') \
             RETURNING state",
            &[turn.into(), conversation.into(), UNLEASED.into()],
        )
        .await?;
    let Some(changed) = changed else {
        return Ok(false);
    };
    if changed.get::<String>("state")? == TurnState::AwaitingApproval.as_str() {
        reject_open_cards(tx, who, turn, now).await?;
    }
    publish_cancel(tx, turn)?;
    Ok(true)
}

/// Rejects the open cards of a stopped turn, so that the worker that takes it over can end it.
async fn reject_open_cards(
    tx: &mut Tx,
    who: &Principal,
    turn: TurnId,
    now: DateTime<Utc>,
) -> Result<(), TxError> {
    for card in open_cards(tx, turn).await? {
        tx.execute_later(
            "UPDATE approvals SET decision = 'rejected', decided_by = $3, reason = $4, \
                 decided_at = $5 WHERE turn_id = $1 AND call_id = $2 AND decision IS NULL",
            vec![
                turn.into(),
                (&card.call_id).into(),
                who.profile().into(),
                WITHDRAWN.into(),
                now.into(),
            ],
        )
        .await?;
        let event = Event::ApprovalDecided {
            call_id: card.call_id.clone(),
            decision: Decision::Rejected,
            by: Some(who.name().to_owned()),
            reason: Some(WITHDRAWN.to_owned()),
            arguments: None,
            state: None,
        };
        append_next(tx, turn, &event).await?;
        let fact = TurnFact {
            call_id: &card.call_id,
            tool: &card.tool,
            target: None,
            outcome: AuditOutcome::Rejected,
            decider: Some((who.profile(), Some(who.name()))),
        };
        audit::note_for_turn(tx, turn, fact, now).await?;
    }
    Ok(())
}
