//! The status history of passes. Appended in the transaction of the change.

use chrono::{DateTime, Utc};
use frontdesk_db::{DbError, Tx, Value};
use uuid::Uuid;

use super::passes::Pass;
use crate::auth::Caller;

/// One status change.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Change {
    pub(crate) pass_id: Uuid,
    pub(crate) status: String,
    pub(crate) changed_at: DateTime<Utc>,
    pub(crate) changed_by: String,
}

/// Records the pass's current status and the user. The pass's row must be written earlier
/// in the same transaction, so that two writers cannot use one position.
pub(crate) async fn append(
    tx: &mut Tx,
    pass: &Pass,
    who: &Caller,
    at: DateTime<Utc>,
) -> Result<(), DbError> {
    let status = match pass.deleted_at {
        Some(_) => "deleted",
        None => pass.status.into_str(),
    };
    tx.execute_later(
        "INSERT INTO gatepass_status_changes (pass_id, position, status, changed_at, changed_by, changed_by_sub)
         VALUES ($1, (SELECT coalesce(max(position), 0) + 1 FROM gatepass_status_changes WHERE pass_id = $1),
             $2, $3, $4, $5)",
        vec![pass.id.into(), status.into(), at.into(), (&who.name).into(), (&who.sub).into()],
    )
    .await
}

/// The changes of some passes, in order within each pass.
pub(crate) async fn of(tx: &mut Tx, passes: &[Uuid]) -> Result<Vec<Change>, DbError> {
    if passes.is_empty() {
        return Ok(Vec::new());
    }
    let places: Vec<String> = (1..=passes.len()).map(|n| format!("${n}")).collect();
    let sql = format!(
        "SELECT pass_id, status, changed_at, changed_by FROM gatepass_status_changes
         WHERE pass_id IN ({}) ORDER BY pass_id, position",
        places.join(", ")
    );
    let ids: Vec<Value> = passes.iter().map(|id| (*id).into()).collect();
    tx.rows(&sql, &ids)
        .await?
        .iter()
        .map(|row| {
            Ok(Change {
                pass_id: row.get("pass_id")?,
                status: row.get("status")?,
                changed_at: row.get("changed_at")?,
                changed_by: row.get("changed_by")?,
            })
        })
        .collect()
}
