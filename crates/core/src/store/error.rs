//! Errors of the storage ports.

use std::time::Duration;

use crate::approval::DecideError;
use crate::id::TurnId;

#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("not found")]
    NotFound,
    /// The object exists and belongs to another person.
    #[error("no access")]
    Forbidden,
    #[error("not a member of this company")]
    NotAMember,
    /// The person is a member who does not run the company.
    #[error("only the owner and admins of this company may do this")]
    NotAnAdmin,
    #[error("a turn is already running in this conversation")]
    TurnInProgress { turn: TurnId },
    /// The object's state does not allow the operation.
    #[error("{0}")]
    Conflict(String),
    #[error("too many requests; wait {} s", retry_after.as_secs())]
    RateLimited { retry_after: Duration },
    /// The day's tokens are used up.
    #[error("the budget of {whose} for today is used up; it resets at midnight UTC")]
    BudgetExhausted {
        whose: BudgetOwner,
        retry_after: Duration,
    },
    /// Running turns reserve the rest of the day's tokens.
    #[error(
        "what is left of the budget of {whose} is held for messages that are being answered; wait until one of them is done"
    )]
    BudgetReserved { whose: BudgetOwner },
    /// This person has reached the limit of running turns.
    #[error("{max} messages are being answered already; wait until one of them is done")]
    TooManyTurns { max: u32 },
    /// The storage limit is reached.
    #[error("the storage limit of {limit} bytes is reached; delete something first")]
    Full { limit: u64 },
    #[error("this idempotency key was used for a different request")]
    KeyReused,
    #[error("the cursor is invalid; start again without one")]
    BadCursor,
    #[error(transparent)]
    Undecidable(#[from] DecideError),
    /// Another worker took over, so this worker's writes no longer count.
    #[error("the lease was lost to another worker")]
    Fenced,
    /// A tool's change was refused when it was applied; nothing was stored.
    #[error("{0}")]
    ChangeRefused(String),
    /// A temporary failure: out of space, connection lost, busy. For the operator.
    #[error("the store is not available: {0}")]
    Unavailable(String),
    /// A bug or corrupt data. For the operator.
    #[error("the store failed: {0}")]
    Internal(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BudgetOwner {
    Person,
    Company,
}

impl std::fmt::Display for BudgetOwner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            BudgetOwner::Person => "this person",
            BudgetOwner::Company => "this company",
        })
    }
}
