//! Decides what a request to open a turn leads to: the rules of idempotency keys, retries, rates,
//! budgets and one turn at a time. Pure functions of the loaded rows.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use frontdesk_core::id::TurnId;
use frontdesk_core::outcome::{Outcome, TurnState};
use frontdesk_core::store::{
    Budget, BudgetOwner, OpenTurn, Opening, RateLeft, RateLimit, StoreError, StoredMessage,
    next_day,
};
use frontdesk_db::{Dialect, Row};
use uuid::Uuid;

use crate::authors;
use crate::rows::{self, USER_MESSAGE, optional_json};
use crate::tx_error::TxError;

pub(super) enum Plan {
    /// The key is known, and its turn answers the request.
    Replay(EarlierTurn),
    /// Answer a stored message again.
    Again(EarlierTurn),
    New,
}

/// An existing turn.
pub(super) struct EarlierTurn {
    pub(super) turn: TurnId,
    pub(super) state: TurnState,
    pub(super) first_seq: i64,
    pub(super) opening: Opening,
    pub(super) user_message: StoredMessage,
}

/// The turn that a request names, with the facts that the rules need.
pub(super) struct NamedTurn {
    earlier: EarlierTurn,
    outcome: Option<Outcome>,
    /// No message followed it.
    is_last: bool,
}

/// The turn `$1`, its message, and whether it is the conversation's last.
pub(super) fn named_turn_sql(dialect: Dialect) -> String {
    let author = authors::columns(dialect, "o.user_message_id");
    format!(
        "SELECT {author}, o.id, o.conversation_id, o.state, o.outcome, o.opening, \
     o.first_seq, um.id AS um_id, um.role AS um_role, um.content AS um_content, \
     um.metadata AS um_metadata, um.created_at AS um_created_at, \
     (SELECT l.turn_id FROM messages l WHERE l.conversation_id = o.conversation_id AND l.aside IS NULL \
         ORDER BY l.seq DESC LIMIT 1) AS last_turn \
     FROM turns o LEFT JOIN messages um ON um.id = o.user_message_id WHERE o.id = $1"
    )
}

impl NamedTurn {
    /// `None` when the turn's message was erased.
    pub(super) fn read(row: &Row) -> Result<Option<Self>, TxError> {
        let turn: TurnId = row.get("id")?;
        let conversation: Uuid = row.get("conversation_id")?;
        let Some(user_message) = rows::message(row, conversation, &USER_MESSAGE)? else {
            return Ok(None);
        };
        let earlier = EarlierTurn {
            turn,
            state: rows::named(row, "state")?,
            first_seq: row.get("first_seq")?,
            opening: rows::json(row, "opening")?,
            user_message,
        };
        Ok(Some(Self {
            is_last: row.get::<Option<TurnId>>("last_turn")? == Some(turn),
            outcome: optional_json(row, "outcome")?,
            earlier,
        }))
    }
}

pub(super) fn check(
    row: &Row,
    named: Option<NamedTurn>,
    request: &OpenTurn,
) -> Result<Plan, TxError> {
    let seen: Option<String> = row.get("key_fingerprint")?;
    let plan = match (&request.key, seen) {
        (Some(key), Some(seen)) if seen == key.fingerprint => by_key(named, request)?,
        (Some(_), Some(_)) => return Err(StoreError::KeyReused.into()),
        (Some(_) | None, _) => match &request.opening {
            Opening::Message { .. } | Opening::Form { .. } => Plan::New,
            Opening::Retry { .. } => Plan::Again(by_name(named, request)?),
        },
    };
    match plan {
        Plan::Replay(earlier) => Ok(Plan::Replay(earlier)),
        Plan::Again(_) | Plan::New => {
            within_rate(row, &request.rate, request.now)?;
            within_budget(row, &request.budget, request.now)?;
            if let Some(turn) = row.get("active_turn")? {
                return Err(StoreError::TurnInProgress { turn }.into());
            }
            if row.get::<u64>("in_flight")? >= u64::from(request.in_flight) {
                let max = request.in_flight;
                return Err(StoreError::TooManyTurns { max }.into());
            }
            Ok(plan)
        }
    }
}

/// The plan for a known idempotency key.
fn by_key(named: Option<NamedTurn>, request: &OpenTurn) -> Result<Plan, TxError> {
    let Some(named) = named else {
        return Err(StoreError::Conflict(
            "what this idempotency key led to was erased; use a new key".to_owned(),
        )
        .into());
    };
    let earlier = named.earlier;
    if earlier.user_message.conversation_id != request.conversation {
        return Err(StoreError::KeyReused.into());
    }
    // A repeated request runs again only if the model failed.
    let model_failed = matches!(named.outcome, Some(Outcome::ModelFailed { .. }));
    Ok(if model_failed && named.is_last {
        Plan::Again(earlier)
    } else {
        Plan::Replay(earlier)
    })
}

/// The failed turn that a retry names.
fn by_name(named: Option<NamedTurn>, request: &OpenTurn) -> Result<EarlierTurn, TxError> {
    let named = named.ok_or(StoreError::NotFound)?;
    let earlier = named.earlier;
    if earlier.user_message.conversation_id != request.conversation {
        return Err(StoreError::NotFound.into());
    }
    if earlier.state != TurnState::Failed {
        return Err(StoreError::Conflict(format!(
            "only a turn that failed can be tried again; this one is {}",
            earlier.state.as_str()
        ))
        .into());
    }
    if !named.is_last {
        return Err(StoreError::Conflict(
            "the conversation went on since; write the message again".to_owned(),
        )
        .into());
    }
    Ok(earlier)
}

/// `blocked_by` is the oldest of the last `max` events inside the window, or null if there are fewer.
/// A request passes once that event leaves the window.
fn within_rate(row: &Row, rate: &RateLimit, now: DateTime<Utc>) -> Result<(), TxError> {
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

/// Requests left in the window after this one.
pub(super) fn rate_left(row: &Row, request: &OpenTurn) -> Result<RateLeft, TxError> {
    let rate = &request.rate;
    let counted = u32::try_from(row.get::<i64>("rate_counted")?).unwrap_or(u32::MAX);
    let oldest: Option<DateTime<Utc>> = row.get("rate_oldest")?;
    Ok(RateLeft {
        left: rate.max.saturating_sub(counted.saturating_add(1)),
        next_at: oldest.unwrap_or(request.now)
            + TimeDelta::from_std(rate.window).unwrap_or_default(),
    })
}

/// Unfinished turns count with their reservation.
fn within_budget(row: &Row, budget: &Budget, now: DateTime<Utc>) -> Result<(), TxError> {
    for left in budgets_left(row, budget)? {
        let whose = left.whose;
        if left.unused == 0 {
            let retry_after = (next_day(now) - now).to_std().unwrap_or_default();
            return Err(StoreError::BudgetExhausted { whose, retry_after }.into());
        }
        if left.unreserved == 0 {
            return Err(StoreError::BudgetReserved { whose }.into());
        }
    }
    Ok(())
}

/// The most tokens that the turn may use today; `None` without a limit.
pub(super) fn allowance(row: &Row, budget: &Budget) -> Result<Option<u64>, TxError> {
    let left = budgets_left(row, budget)?;
    Ok(left.iter().map(|left| left.unreserved).min())
}

struct BudgetLeft {
    whose: BudgetOwner,
    unused: u64,
    /// The part of `unused` that no turn has reserved.
    unreserved: u64,
}

/// One entry for each budget that is set.
fn budgets_left(row: &Row, budget: &Budget) -> Result<Vec<BudgetLeft>, TxError> {
    let mut found = Vec::new();
    for (whose, max, used, reserved) in [
        (
            BudgetOwner::Person,
            budget.person,
            "spent_person",
            "reserved_person",
        ),
        (
            BudgetOwner::Company,
            budget.company,
            "spent_company",
            "reserved_company",
        ),
    ] {
        let Some(max) = max else {
            continue;
        };
        let number = |column: &str| -> Result<u64, TxError> {
            let number = row.get::<Option<i64>>(column)?.unwrap_or_default();
            Ok(number.max(0).cast_unsigned())
        };
        let unused = max.saturating_sub(number(used)?);
        found.push(BudgetLeft {
            whose,
            unused,
            unreserved: unused.saturating_sub(number(reserved)?),
        });
    }
    Ok(found)
}
