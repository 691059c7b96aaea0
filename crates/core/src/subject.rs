//! Things in a company's own systems that a conversation can be about, such as a gig.

use async_trait::async_trait;

use crate::access::Principal;
use crate::id::CompanyId;
use crate::store::StoreError;

/// Implemented by an assistant whose conversations have subjects.
///
/// A conversation about a subject belongs to the subject's company and is visible to its own
/// person alone, while they are a member there. Both are part of every statement of the store,
/// so this is asked once, when the conversation begins. An assistant therefore never moves a
/// subject to another company, and deletes its conversations with it.
#[async_trait]
pub trait Subjects: Send + Sync {
    /// The company that the subject belongs to, if this person may read the subject now.
    async fn readable_in(&self, who: &Principal, subject: &str) -> Result<CompanyId, StoreError>;
}
