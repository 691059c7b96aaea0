//! Objects in a company's own systems that a conversation can be about, such as a gig.

use async_trait::async_trait;

use crate::access::Principal;
use crate::id::CompanyId;
use crate::store::StoreError;

/// Implemented by an assistant whose conversations have subjects.
///
/// A conversation about a subject belongs to the subject's company. Only its owner sees it, and
/// only while they are a member. Every statement of the store enforces both, so the subject is
/// checked once, when the conversation starts. An assistant must therefore never move a subject to
/// another company, and must delete the subject's conversations with it.
#[async_trait]
pub trait Subjects: Send + Sync {
    /// Returns the subject's company if this person may read the subject now.
    async fn readable_in(&self, who: &Principal, subject: &str) -> Result<CompanyId, StoreError>;

    /// The subject of a new conversation that names none, with its company: one of `company`, if that is
    /// given. `None` if this person may read no subject.
    async fn default_for(
        &self,
        who: &Principal,
        company: Option<CompanyId>,
    ) -> Result<Option<(String, CompanyId)>, StoreError>;
}
