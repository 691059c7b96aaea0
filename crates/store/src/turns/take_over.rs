//! Takes over turns whose lease expired. The scan sees turns and leases only; everything after it
//! runs as the person who opened the turn.

use std::time::Duration;

use chrono::{DateTime, Utc};
use frontdesk_core::access::{Membership, Principal};
use frontdesk_core::approval::{ApprovalCard, Decision};
use frontdesk_core::event::{Ended, Event};
use frontdesk_core::handle::Handles;
use frontdesk_core::id::{ProfileId, TurnId};
use frontdesk_core::outcome::Outcome;
use frontdesk_core::store::{AuditOutcome, Lease, Opened, StoreError};
use frontdesk_db::{Claims, Dialect, Row, Tx, Value};

use super::hold::{Touch, hold};
use super::open::{HISTORY, load_history, with_content};
use super::{append_next, deciders, files, journal, later, note_unknown};
use crate::Store;
use crate::audit::{self, TurnFact};
use crate::authors;
use crate::change_feed::publish_turn;
use crate::rows::{self, CONVERSATION, USER_MESSAGE, json_text};
use crate::tx_error::{TxError, unreadable};

/// The expiry of a lease without a holder: in the past for any clock, so the next scan finds the turn.
pub(crate) const UNLEASED: DateTime<Utc> = DateTime::UNIX_EPOCH;

/// The most unresumable turns that one call ends before it returns.
const MAX_ENDED: usize = 32;

pub(super) async fn take_over(
    store: &Store,
    node: &str,
    now: DateTime<Utc>,
    lease_for: Duration,
) -> Result<Option<Opened>, StoreError> {
    for _ in 0..MAX_ENDED {
        let Some(lease) = claim(store, node, now, later(now, lease_for)).await? else {
            return Ok(None);
        };
        let held = lease.clone();
        let resumed = store
            .write_as(&Claims::none(), move |tx| {
                Box::pin(async move { resume(tx, held, now).await })
            })
            .await;
        match resumed {
            Ok(opened) => return Ok(Some(opened)),
            // Erased, or taken by another node, between the two transactions.
            Err(StoreError::Fenced) => {}
            Err(error @ StoreError::Unavailable(_)) => return Err(error),
            Err(error) => {
                tracing::error!(turn.id = %lease.turn, %error, "a turn cannot be taken over and is ended");
                end_unresumable(store, lease, now).await?;
            }
        }
    }
    Ok(None)
}

impl Store {
    /// Ends the leases of all nodes but this one. Only for the owner of an embedded database.
    pub async fn void_leases(&self, node: &str) -> Result<(), StoreError> {
        let node = node.to_owned();
        self.write_as(&Claims::system("leases of ended processes"), move |tx| {
            Box::pin(async move {
                let values = [(&node).into(), UNLEASED.into()];
                tx.execute(
                    "UPDATE turns SET lease_until = $2 WHERE state = 'running' AND node <> $1",
                    &values,
                )
                .await?;
                Ok(())
            })
        })
        .await
    }
}

async fn claim(
    store: &Store,
    node: &str,
    now: DateTime<Utc>,
    until: DateTime<Utc>,
) -> Result<Option<Lease>, StoreError> {
    let node = node.to_owned();
    store
        .write_as(&Claims::system("lease scan"), move |tx| {
            Box::pin(async move {
                let sql = match tx.dialect() {
                    Dialect::Postgres => {
                        "SELECT turn_id, conversation_id, epoch FROM fd.claim($1, $2, $3)"
                    }
                    Dialect::Sqlite => {
                        "UPDATE turns SET epoch = epoch + 1, node = $1, lease_until = $3, \
                             state = 'running', paused_at = NULL, \
                             deadline = deadline + coalesce($2 - paused_at, 0) \
                         WHERE id = (SELECT id FROM turns \
                             WHERE state IN ('running', 'awaiting_approval') \
                             AND lease_until < $2 \
                             AND (state <> 'running' OR node <> $1 OR lease_until < $2 - ($3 - $2)) \
                             ORDER BY lease_until LIMIT 1) \
                         RETURNING id AS turn_id, conversation_id, epoch"
                    }
                };
                let values = [(&node).into(), now.into(), until.into()];
                let Some(row) = tx.row(sql, &values).await? else {
                    return Ok(None);
                };
                Ok(Some(Lease {
                    turn: row.get("turn_id")?,
                    conversation: row.get("conversation_id")?,
                    node,
                    epoch: row.get("epoch")?,
                }))
            })
        })
        .await
}

fn resume_sql(dialect: Dialect) -> String {
    let author = authors::columns(dialect, "t.user_message_id");
    format!(
        "SELECT {CONVERSATION}, {author}, c.file_count, c.text_count, t.principal, t.opening, t.deadline, t.allowance, t.first_seq, \
             h.wires, h.marks, um.id AS um_id, um.role AS um_role, um.content AS um_content, \
             um.metadata AS um_metadata, um.created_at AS um_created_at \
         FROM turns t JOIN conversations c ON c.id = t.conversation_id \
         LEFT JOIN messages um ON um.id = t.user_message_id \
         LEFT JOIN {HISTORY} AS h ON true \
         WHERE t.id = $1 AND c.id = $2"
    )
}

async fn resume(tx: &mut Tx, lease: Lease, now: DateTime<Utc>) -> Result<Opened, TxError> {
    hold(tx, &lease, Touch::Journal).await?;
    expire_cards(tx, lease.turn, now).await?;
    deciders::withdraw_void_approvals(tx, lease.turn, now).await?;
    let values: [Value; 2] = [lease.turn.into(), lease.conversation.into()];
    let found = tx.row(&resume_sql(tx.dialect()), &values).await?;
    let row = found.ok_or(StoreError::Forbidden)?;
    let principal: Principal = rows::json(&row, "principal")?;
    let memberships = memberships(tx, principal.profile()).await?;
    let user_message = rows::message(&row, lease.conversation.uuid(), &USER_MESSAGE)?
        .ok_or_else(|| unreadable("the message of a turn"))?;
    let history = load_history(&row, row.get("first_seq")?)?;
    let files = files::number_files(tx, lease.conversation, row.get("file_count")?, &[]).await?;
    let entries = journal::all(tx, lease.turn).await?;
    Ok(Opened {
        rate: None,
        principal: principal.with_companies(memberships),
        conversation: rows::conversation(&row)?,
        opening: with_content(rows::json(&row, "opening")?, &user_message.content),
        user_message,
        history: history.earlier,
        tail: history.current,
        handles: Handles {
            texts: Vec::new(),
            files: files.all,
        },
        text_count: row.get("text_count")?,
        entries,
        deadline: row.get("deadline")?,
        allowance: row.get::<Option<i64>>("allowance")?.map(i64::unsigned_abs),
        lease,
    })
}

async fn memberships(tx: &mut Tx, profile: ProfileId) -> Result<Vec<Membership>, TxError> {
    let found = tx
        .rows(
            "SELECT company_id, role FROM company_members WHERE profile_id = $1 ORDER BY company_id",
            &[profile.into()],
        )
        .await?;
    found.iter().map(crate::people::membership).collect()
}

/// Marks undecided cards past their time as expired.
async fn expire_cards(tx: &mut Tx, turn: TurnId, now: DateTime<Utc>) -> Result<(), TxError> {
    let cards = tx
        .rows(
            "UPDATE approvals SET decision = 'expired', decided_at = $2 \
             WHERE turn_id = $1 AND decision IS NULL AND expires_at < $2 RETURNING card",
            &[turn.into(), now.into()],
        )
        .await?;
    let mut cards = cards
        .iter()
        .map(|row: &Row| rows::json(row, "card"))
        .collect::<Result<Vec<ApprovalCard>, _>>()?;
    cards.sort_by(|a, b| a.call_id.cmp(&b.call_id));
    for card in cards {
        let event = Event::ApprovalDecided {
            call_id: card.call_id.clone(),
            decision: Decision::Expired,
            by: None,
            reason: None,
            arguments: None,
            state: None,
        };
        append_next(tx, turn, &event).await?;
        let fact = TurnFact {
            call_id: &card.call_id,
            tool: &card.tool,
            target: None,
            outcome: AuditOutcome::Expired,
            decider: None,
        };
        audit::note_for_turn(tx, turn, fact, now).await?;
    }
    Ok(())
}

/// Ends the turn. If that fails too, the turn keeps our lease for now, so that it does not block the
/// scan for others.
async fn end_unresumable(
    store: &Store,
    lease: Lease,
    now: DateTime<Utc>,
) -> Result<(), StoreError> {
    let turn = lease.turn;
    match abandon(store, lease, now).await {
        Err(error @ StoreError::Unavailable(_)) => Err(error),
        Err(error) => {
            tracing::error!(turn.id = %turn, %error, "a turn cannot be ended");
            Ok(())
        }
        Ok(()) => Ok(()),
    }
}

/// Ends a turn whose person lost access or whose rows cannot be read.
async fn abandon(store: &Store, lease: Lease, now: DateTime<Utc>) -> Result<(), StoreError> {
    store
        .write_as(&Claims::system("a turn that cannot go on"), move |tx| {
            Box::pin(async move { interrupt(tx, lease.turn, lease.epoch, now).await })
        })
        .await
}

async fn interrupt(
    tx: &mut Tx,
    turn: TurnId,
    epoch: i64,
    now: DateTime<Utc>,
) -> Result<(), TxError> {
    let outcome = Outcome::Interrupted;
    let event = Event::TurnInterrupted(Ended::without_answer(outcome.clone()));
    let values: Vec<Value> = vec![turn.into(), epoch.into(), json_text(&outcome)?, now.into()];
    let ended = match tx.dialect() {
        Dialect::Postgres => {
            let mut values = values;
            values.push(json_text(&event)?);
            tx.row(
                "SELECT fd.interrupt($1, $2, $3, $4, $5) AS position",
                &values,
            )
            .await?
        }
        Dialect::Sqlite => {
            let ended = tx
                .row(
                    "UPDATE turns SET state = 'interrupted', outcome = $3, ended_at = $4, \
                         lease_until = NULL, position = max(position, epoch << 32) + 1 \
                     WHERE id = $1 AND epoch = $2 AND state = 'running' RETURNING position",
                    &values,
                )
                .await?;
            if let Some(row) = &ended {
                note_unknown(tx, turn, now).await?;
                journal::append(tx, turn, row.get("position")?, &event).await?;
            }
            ended
        }
    };
    match ended
        .map(|row| row.get::<Option<i64>>("position"))
        .transpose()?
        .flatten()
    {
        Some(_) => publish_turn(tx, turn),
        None => Ok(()),
    }
}
