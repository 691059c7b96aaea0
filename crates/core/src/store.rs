//! The storage ports. One small trait per need; an adapter may implement them all. Every method
//! that reads or changes people's data takes the caller.

mod api_tokens;
mod artifacts;
mod audit;
mod companies;
mod conversations;
mod error;
mod feedback;
mod operator;
mod people;
mod shares;
mod text_search;
mod turns;
mod usage;
mod versions;

pub use api_tokens::{ApiToken, MAX_API_TOKENS, NewApiToken};
pub use artifacts::{Artifacts, Attachment, Attachments, EditedArtifact, NewAttachment};
pub use audit::{AuditOutcome, AuditQuery, AuditRow, NewAudit};
pub use companies::{
    Company, CompanyDraft, Invitation, InvitationAnswer, InvitationKey, InvitationStatus,
    MAX_OPEN_INVITATIONS, MAX_OWNED_COMPANIES, Member, NewInvitation,
};
pub use conversations::{
    ConversationPatch, ConversationQuery, ConversationView, NewConversation, Page, Speaker,
    StoredMessage,
};
pub use error::{BudgetOwner, StoreError};
pub use feedback::{Feedback, NewFeedback, Rating};
pub use operator::{OperatorName, OperatorQuery, OperatorStep, OperatorTurn, StepKind};
pub use people::{Account, Entered, NewCompany, Profile, ProfilePatch};
pub use shares::{Audience, Marks, NewShare, Share, SharedConversation, SharedMessage};
pub use text_search::{FoundText, SearchWords, TextKind};
pub use turns::{
    Accepted, Answer, DecidedApproval, FileText, FinishTurn, IdempotencyKey, Lease, NewDecision,
    OpenTurn, Opened, Opening, PendingApproval, RateLeft, RateLimit, Record, SavedFile, Saves,
    TurnStatus, Turns,
};
pub use usage::{Budget, UsageQuery, UsageRow, day_number, next_day};
pub use versions::{KEPT_EFFECTS, KeptEffect, Revision, has_kept_effects};
