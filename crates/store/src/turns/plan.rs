//! What a request to open a turn leads to, decided from what the database knows: the rules of
//! keys, retries, rates and one turn at a time. Writes nothing.

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
use crate::fault::{Fault, unreadable};
use crate::rows::{self, USER_MESSAGE, natural, optional_id, optional_json};

pub(super) enum Plan {
    /// The key was seen before and nothing is to be done.
    Replay(Earlier),
    /// A message that is stored already is answered again.
    Again(Earlier),
    Fresh,
}

/// A turn that is there already.
pub(super) struct Earlier {
    pub(super) turn: TurnId,
    pub(super) state: TurnState,
    pub(super) first_seq: i64,
    pub(super) opening: Opening,
    pub(super) user_message: StoredMessage,
}

/// A turn that a request refers to, and what the rules ask about it.
pub(super) struct Referred {
    earlier: Earlier,
    outcome: Option<Outcome>,
    /// Nothing was said in the conversation since.
    is_last: bool,
}

/// The turn `$1`, its message, and whether it is the conversation's last.
pub(super) fn referred_sql(dialect: Dialect) -> String {
    let author = authors::columns(dialect, "o.user_message_id");
    format!(
        "SELECT {author}, o.id, o.conversation_id, o.state, o.outcome, o.opening, \
     o.first_seq, um.id AS um_id, um.role AS um_role, um.content AS um_content, \
     um.metadata AS um_metadata, um.created_at AS um_created_at, \
     (SELECT l.turn_id FROM messages l WHERE l.conversation_id = o.conversation_id \
         ORDER BY l.seq DESC LIMIT 1) AS last_turn \
     FROM turns o LEFT JOIN messages um ON um.id = o.user_message_id WHERE o.id = $1"
    )
}

impl Referred {
    /// `None` when the turn's message was erased.
    pub(super) fn read(row: &Row) -> Result<Option<Self>, Fault> {
        let turn = rows::id(row, "id")?;
        let conversation: Uuid = row.get("conversation_id")?;
        let Some(user_message) = rows::message(row, conversation, &USER_MESSAGE)? else {
            return Ok(None);
        };
        let state: String = row.get("state")?;
        let earlier = Earlier {
            turn,
            state: TurnState::named(&state).ok_or_else(|| unreadable("the state of a turn"))?,
            first_seq: row.get("first_seq")?,
            opening: rows::json(row, "opening")?,
            user_message,
        };
        Ok(Some(Self {
            is_last: optional_id(row, "last_turn")? == Some(turn),
            outcome: optional_json(row, "outcome")?,
            earlier,
        }))
    }
}

pub(super) fn plan(
    row: &Row,
    referred: Option<Referred>,
    request: &OpenTurn,
) -> Result<Plan, Fault> {
    let seen: Option<String> = row.get("key_fingerprint")?;
    let plan = match (&request.key, seen) {
        (Some(key), Some(seen)) if seen == key.fingerprint => by_key(referred, request)?,
        (Some(_), Some(_)) => return Err(StoreError::KeyReused.into()),
        (Some(_) | None, _) => match &request.opening {
            Opening::Message { .. } | Opening::Form { .. } => Plan::Fresh,
            Opening::Retry { .. } => Plan::Again(by_name(referred, request)?),
        },
    };
    match plan {
        Plan::Replay(earlier) => Ok(Plan::Replay(earlier)),
        Plan::Again(_) | Plan::Fresh => {
            within_rate(row, &request.rate, request.now)?;
            within_budget(row, &request.budget, request.now)?;
            if let Some(turn) = optional_id(row, "active_turn")? {
                return Err(StoreError::TurnInProgress { turn }.into());
            }
            if natural(row, "in_flight")? >= u64::from(request.in_flight) {
                let max = request.in_flight;
                return Err(StoreError::TooManyTurns { max }.into());
            }
            Ok(plan)
        }
    }
}

/// What an idempotency key that was seen before leads to.
fn by_key(referred: Option<Referred>, request: &OpenTurn) -> Result<Plan, Fault> {
    let Some(referred) = referred else {
        return Err(StoreError::Conflict(
            "what this idempotency key led to was erased; use a new key".to_owned(),
        )
        .into());
    };
    let earlier = referred.earlier;
    if earlier.user_message.conversation_id != request.conversation {
        return Err(StoreError::KeyReused.into());
    }
    // Only a model that did not answer makes a repeated request worth a second attempt.
    let model_failed = matches!(referred.outcome, Some(Outcome::ModelFailed { .. }));
    Ok(if model_failed && referred.is_last {
        Plan::Again(earlier)
    } else {
        Plan::Replay(earlier)
    })
}

/// The failed turn that a person wants to have answered again.
fn by_name(referred: Option<Referred>, request: &OpenTurn) -> Result<Earlier, Fault> {
    let referred = referred.ok_or(StoreError::NotFound)?;
    let earlier = referred.earlier;
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
    if !referred.is_last {
        return Err(StoreError::Conflict(
            "the conversation went on since; write the message again".to_owned(),
        )
        .into());
    }
    Ok(earlier)
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

/// What the rate leaves once this request is counted.
pub(super) fn rate_left(row: &Row, request: &OpenTurn) -> Result<RateLeft, Fault> {
    let rate = &request.rate;
    let counted = u32::try_from(row.get::<i64>("rate_counted")?).unwrap_or(u32::MAX);
    let oldest: Option<DateTime<Utc>> = row.get("rate_oldest")?;
    Ok(RateLeft {
        left: rate.max.saturating_sub(counted.saturating_add(1)),
        next_at: oldest.unwrap_or(request.now)
            + TimeDelta::from_std(rate.window).unwrap_or_default(),
    })
}

/// Turns that have not ended are taken to use what is reserved for each.
fn within_budget(row: &Row, budget: &Budget, now: DateTime<Utc>) -> Result<(), Fault> {
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

/// The most that a turn may use today; `None` where nothing is limited.
pub(super) fn allowance(row: &Row, budget: &Budget) -> Result<Option<u64>, Fault> {
    let left = budgets_left(row, budget)?;
    Ok(left.iter().map(|left| left.unreserved).min())
}

/// What a budget leaves.
struct BudgetLeft {
    whose: BudgetOwner,
    unused: u64,
    /// The part of it that no turn holds.
    unreserved: u64,
}

/// What each budget that is set leaves.
fn budgets_left(row: &Row, budget: &Budget) -> Result<Vec<BudgetLeft>, Fault> {
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
        let number = |column: &str| -> Result<u64, Fault> {
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
