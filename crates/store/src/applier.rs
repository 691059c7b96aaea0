//! How the changes that transactional tools ask for reach an assistant's own tables: inside
//! the transaction that records the call, so that both happen or neither.

use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use frontdesk_core::access::Principal;
use frontdesk_core::conversation::Conversation;
use frontdesk_core::id::TurnId;
use frontdesk_core::store::StoreError;
use frontdesk_core::tool::Change;
use frontdesk_db::Tx;
use serde_json::Value;

use crate::tx_error::TxError;

/// Applies one kind of change. Awaits nothing but the transaction.
#[async_trait]
pub trait ApplyChange: Send + Sync {
    /// An error undoes the whole record; its sentence reaches the model.
    async fn apply(&self, tx: &mut Tx, scene: &Scene<'_>, data: &Value) -> Result<(), StoreError>;
}

/// The origin of a change.
pub struct Scene<'a> {
    /// The person who opened the turn.
    pub principal: &'a Principal,
    pub conversation: &'a Conversation,
    pub turn: TurnId,
    pub now: DateTime<Utc>,
}

/// Which function applies which kind of change.
#[derive(Clone, Default)]
pub struct Appliers(Arc<BTreeMap<String, Arc<dyn ApplyChange>>>);

impl Appliers {
    pub fn new(appliers: impl IntoIterator<Item = (String, Arc<dyn ApplyChange>)>) -> Self {
        Self(Arc::new(appliers.into_iter().collect()))
    }

    pub(crate) async fn apply(
        &self,
        tx: &mut Tx,
        scene: &Scene<'_>,
        change: &Change,
    ) -> Result<(), TxError> {
        let Some(applier) = self.0.get(&change.kind) else {
            return Err(StoreError::Internal(format!(
                "nothing applies changes of the kind {}",
                change.kind
            ))
            .into());
        };
        applier
            .apply(tx, scene, &change.data)
            .await
            .map_err(|error| TxError::Store(refused(error)))
    }
}

/// Keeps errors for the operator and turns all others into a refusal with a reason.
fn refused(error: StoreError) -> StoreError {
    match error {
        StoreError::ChangeRefused(_)
        | StoreError::Fenced
        | StoreError::Unavailable(_)
        | StoreError::Internal(_) => error,
        StoreError::NotFound
        | StoreError::Forbidden
        | StoreError::AttachmentNotFound
        | StoreError::NotAMember
        | StoreError::NotAnAdmin
        | StoreError::BudgetExhausted { .. }
        | StoreError::BudgetReserved { .. }
        | StoreError::TurnInProgress { .. }
        | StoreError::Conflict(_)
        | StoreError::RateLimited { .. }
        | StoreError::TooManyTurns { .. }
        | StoreError::Full { .. }
        | StoreError::KeyReused
        | StoreError::BadCursor
        | StoreError::Undecidable(_) => StoreError::ChangeRefused(error.to_string()),
    }
}
