//! The ports to what is kept. One small trait for each need; an adapter may implement
//! them all. Every method that touches people's data takes who asks.

mod artifacts;
mod audit;
mod conversations;
mod error;
mod people;
mod turns;

pub use artifacts::{Artifacts, Attachment, Attachments, NewAttachment};
pub use audit::{Audit, AuditOutcome, AuditQuery, AuditRow, NewAudit};
pub use conversations::{
    ConversationPatch, ConversationQuery, Conversations, NewConversation, Page, Speaker,
    StoredMessage,
};
pub use error::StoreError;
pub use people::{Account, NewCompany, People, Profile};
pub use turns::{
    Accepted, Answer, Approvals, Finish, IdempotencyKey, Lease, OpenTurn, Opened, Opening,
    PendingApproval, RateLimit, Record, SavedFile, Saves, TurnStatus, TurnViews, Turns,
};
