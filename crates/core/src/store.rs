//! The storage ports. One small trait per need; an adapter may implement them all. Every method
//! that reads or changes people's data takes the caller.

mod artifacts;
mod audit;
mod companies;
mod conversations;
mod error;
mod feedback;
mod operator;
mod people;
mod turns;
mod usage;

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
    ConversationPatch, ConversationQuery, Conversations, NewConversation, Page, Speaker,
    StoredMessage,
};
pub use error::{BudgetOwner, StoreError};
pub use feedback::{Feedback, FeedbackStore, NewFeedback, Rating};
pub use operator::{
    OperatorName, OperatorQuery, OperatorStep, OperatorTurn, OperatorView, StepKind,
};
pub use people::{Account, Entered, NewCompany, People, Profile, ProfilePatch, Profiles};
pub use turns::{
    Accepted, Answer, Approvals, DecidedApproval, FileText, FinishTurn, IdempotencyKey, Lease,
    NewDecision, OpenTurn, Opened, Opening, PendingApproval, RateLeft, RateLimit, Record,
    SavedFile, Saves, TurnStatus, TurnViews, Turns,
};
pub use usage::{Budget, UsageQuery, UsageReports, UsageRow, day_number, next_day};
