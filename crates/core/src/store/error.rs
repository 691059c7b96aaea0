//! What can go wrong when something is looked up or kept.

use std::time::Duration;

use crate::approval::DecideError;
use crate::id::TurnId;

#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// There is no such thing.
    #[error("not found")]
    NotFound,
    /// It exists and belongs to somebody else.
    #[error("no access")]
    Forbidden,
    /// A message names a file that is not one of its conversation.
    #[error("there is no such attachment in this conversation")]
    AttachmentNotFound,
    #[error("not a member of this company")]
    NotAMember,
    /// A member, and not one of those who run the company.
    #[error("only the owner and admins of this company may do this")]
    NotAnAdmin,
    #[error("a turn is already running in this conversation")]
    TurnInProgress { turn: TurnId },
    /// It is in a state in which this cannot be done.
    #[error("{0}")]
    Conflict(String),
    #[error("too many requests; wait {} s", retry_after.as_secs())]
    RateLimited { retry_after: Duration },
    /// The tokens of this day are used up.
    #[error("the budget of {whose} for today is used up; it starts anew at midnight UTC")]
    BudgetExhausted {
        whose: BudgetOwner,
        retry_after: Duration,
    },
    /// What is left of this day's tokens is held for turns that have not ended.
    #[error(
        "what is left of the budget of {whose} is held for messages that are being answered; wait until one of them is done"
    )]
    BudgetReserved { whose: BudgetOwner },
    /// So many messages of this person are being answered that no more are taken now.
    #[error("{max} messages are being answered already; wait until one of them is done")]
    TooManyTurns { max: u32 },
    /// There is no room for more of these.
    #[error("there is no room for more: at most {limit} bytes are kept")]
    Full { limit: u64 },
    /// The idempotency key was used for another request.
    #[error("this idempotency key was used for a different request")]
    KeyReused,
    #[error("the cursor is not one of ours")]
    BadCursor,
    #[error(transparent)]
    Undecidable(#[from] DecideError),
    /// Another worker took over; whatever we do counts no more.
    #[error("the lease was lost to another worker")]
    Fenced,
    /// The change a tool asked for was refused while it was applied; nothing was kept.
    #[error("{0}")]
    ChangeRefused(String),
    /// Passing trouble: out of space, connection lost, busy. For the operator.
    #[error("the store is not available: {0}")]
    Unavailable(String),
    /// A fault of ours or of the data. For the operator.
    #[error("the store failed: {0}")]
    Internal(String),
}

/// Whose budget it is.
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
