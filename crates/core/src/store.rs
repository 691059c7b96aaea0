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

pub use api_tokens::{ApiToken, ApiTokens, MAX_API_TOKENS, NewApiToken};
pub use artifacts::{
    ArtifactEdits, Artifacts, Attachment, Attachments, EditedArtifact, NewAttachment,
};
pub use audit::{Audit, AuditOutcome, AuditQuery, AuditRow, NewAudit};
pub use companies::{
    Companies, Company, CompanyDraft, Invitation, InvitationAnswer, InvitationKey,
    InvitationStatus, Invitations, MAX_OPEN_INVITATIONS, MAX_OWNED_COMPANIES, Member,
    NewInvitation,
};
pub use conversations::{
    ConversationPatch, ConversationQuery, ConversationView, Conversations, NewConversation, Page,
    Speaker, StoredMessage,
};
pub use error::{BudgetOwner, StoreError};
pub use feedback::{Feedback, FeedbackStore, NewFeedback, Rating};
pub use operator::{
    OperatorName, OperatorQuery, OperatorStep, OperatorTurn, OperatorView, StepKind,
};
pub use people::{Account, Entered, NewCompany, People, Profile, ProfilePatch, Profiles};
pub use shares::{Audience, Marks, NewShare, Share, SharedConversation, SharedMessage, Shares};
pub use text_search::{FoundText, SearchWords, TextKind, TextSearch};
pub use turns::{
    Accepted, Answer, Approvals, DecidedApproval, FileText, FinishTurn, IdempotencyKey, Lease,
    NewDecision, OpenTurn, Opened, Opening, PendingApproval, RateLeft, RateLimit, Record,
    SavedFile, Saves, TurnStatus, TurnViews, Turns,
};
pub use usage::{Budget, UsageQuery, UsageReports, UsageRow, day_number, next_day};
pub use versions::{KEPT_EFFECTS, KeptEffect, Revision, Versions, has_kept_effects};
