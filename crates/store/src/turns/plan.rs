//! What a request to open a turn leads to, decided from what the database knows: the rules of
//! keys, retries, rates and one turn at a time. Writes nothing.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use frontdesk_core::id::TurnId;
use frontdesk_core::outcome::{Outcome, TurnState};
use frontdesk_core::store::{OpenTurn, Opening, RateLimit, StoreError, StoredMessage};
use frontdesk_db::Row;
use uuid::Uuid;

use crate::fault::{Fault, unreadable};
use crate::rows::{self, USER_MESSAGE, optional_id, optional_json};

pub(super) enum Plan {
    /// The key was seen before and nothing is to be done.
    Replay(Earlier),
    /// A message that is stored already is answered again.
    Again(Earlier),
    Fresh,
}

/// A turn that the request refers to, by its key or by name.
pub(super) struct Earlier {
    pub(super) turn: TurnId,
    pub(super) state: TurnState,
    pub(super) first_seq: i64,
    pub(super) opening: Opening,
    pub(super) user_message: StoredMessage,
}

pub(super) fn plan(row: &Row, request: &OpenTurn) -> Result<Plan, Fault> {
    let plan = match by_key(row, request)? {
        Some(plan) => plan,
        None => match &request.opening {
            Opening::Message { .. } | Opening::Form { .. } => Plan::Fresh,
            Opening::Retry { turn } => Plan::Again(by_name(row, request, *turn)?),
        },
    };
    match plan {
        Plan::Replay(earlier) => Ok(Plan::Replay(earlier)),
        Plan::Again(_) | Plan::Fresh => {
            within_rate(row, &request.rate, request.now)?;
            match optional_id(row, "active_turn")? {
                Some(turn) => Err(StoreError::TurnInProgress { turn }.into()),
                None => Ok(plan),
            }
        }
    }
}

/// What an idempotency key that was seen before leads to.
fn by_key(row: &Row, request: &OpenTurn) -> Result<Option<Plan>, Fault> {
    let seen: Option<String> = row.get("key_fingerprint")?;
    let (Some(key), Some(seen)) = (&request.key, seen) else {
        return Ok(None);
    };
    if seen != key.fingerprint {
        return Err(StoreError::KeyReused.into());
    }
    let Some((earlier, outcome)) = earlier(row)? else {
        return Err(StoreError::Conflict(
            "what this idempotency key led to was erased; use a new key".to_owned(),
        )
        .into());
    };
    if earlier.user_message.conversation_id != request.conversation {
        return Err(StoreError::KeyReused.into());
    }
    // Only a model that did not answer makes a repeated request worth a second attempt.
    let may_try_again = matches!(outcome, Some(Outcome::ModelFailed { .. }))
        && optional_id(row, "last_turn")? == Some(earlier.turn);
    Ok(Some(if may_try_again {
        Plan::Again(earlier)
    } else {
        Plan::Replay(earlier)
    }))
}

/// The failed turn that a person wants to have answered again.
fn by_name(row: &Row, request: &OpenTurn, turn: TurnId) -> Result<Earlier, Fault> {
    let found = earlier(row)?.filter(|(earlier, _)| {
        earlier.turn == turn && earlier.user_message.conversation_id == request.conversation
    });
    let Some((earlier, _)) = found else {
        return Err(StoreError::NotFound.into());
    };
    if earlier.state != TurnState::Failed {
        return Err(StoreError::Conflict(format!(
            "only a turn that failed can be tried again; this one is {}",
            earlier.state.as_str()
        ))
        .into());
    }
    if optional_id(row, "last_turn")? != Some(turn) {
        return Err(StoreError::Conflict(
            "the conversation went on since; write the message again".to_owned(),
        )
        .into());
    }
    Ok(earlier)
}

fn earlier(row: &Row) -> Result<Option<(Earlier, Option<Outcome>)>, Fault> {
    let Some(turn) = optional_id(row, "o_id")? else {
        return Ok(None);
    };
    let conversation: Uuid = row.get("o_conversation_id")?;
    let Some(user_message) = rows::message(row, conversation, &USER_MESSAGE)? else {
        return Ok(None);
    };
    let state: String = row.get("o_state")?;
    let earlier = Earlier {
        turn,
        state: TurnState::named(&state).ok_or_else(|| unreadable("the state of a turn"))?,
        first_seq: row.get("o_first_seq")?,
        opening: rows::json(row, "o_opening")?,
        user_message,
    };
    Ok(Some((earlier, optional_json(row, "o_outcome")?)))
}

/// `blocked_by` is the oldest of the last `max` events inside the window, if there are so many:
/// the request may pass when that one leaves the window.
fn within_rate(row: &Row, rate: &RateLimit, now: DateTime<Utc>) -> Result<(), Fault> {
    let blocked_by: Option<DateTime<Utc>> = row.get("blocked_by")?;
    let retry_after = match blocked_by {
        None if rate.max > 0 => return Ok(()),
        None => rate.window,
        Some(at) => {
            let leaves = at + TimeDelta::from_std(rate.window).unwrap_or(TimeDelta::MAX);
            (leaves - now).to_std().unwrap_or(Duration::ZERO)
        }
    };
    Err(StoreError::RateLimited { retry_after }.into())
}
