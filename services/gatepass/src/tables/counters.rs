//! Transactional counters: rolled back with the transaction, so no value is skipped or
//! repeated.

use frontdesk_db::{DbError, Tx};

/// Total bytes of stored photos.
pub(crate) const PHOTO_BYTES: &str = "photo_bytes";

/// The counter of a year's pass numbers.
pub(crate) fn numbers_of(year: i32) -> String {
    format!("numbers:{year}")
}

/// Adds to a counter and returns its new value. Locks the counter until the transaction
/// ends.
pub(crate) async fn add(tx: &mut Tx, name: &str, amount: i64) -> Result<i64, DbError> {
    let row = tx
        .row(
            "INSERT INTO gatepass_counters (name, value) VALUES ($1, $2)
             ON CONFLICT (name) DO UPDATE SET value = gatepass_counters.value + excluded.value
             RETURNING value",
            &[name.into(), amount.into()],
        )
        .await?;
    row.ok_or_else(|| DbError::Statement("a counter gave no value".to_owned()))?
        .get("value")
}
