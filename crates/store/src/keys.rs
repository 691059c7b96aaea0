//! Idempotency keys of requests that make one thing. The key is kept in the same transaction as
//! the thing, and gives its id when the request is repeated. The column `turn_id` has this id;
//! keys of messages have their turn there.

use chrono::{DateTime, TimeDelta, Utc};
use frontdesk_core::id::ProfileId;
use frontdesk_core::store::{IdempotencyKey, StoreError};
use frontdesk_db::Tx;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::access;
use crate::tx_error::TxError;

/// How long a key is remembered.
pub(crate) const KEYS_KEPT: TimeDelta = TimeDelta::hours(24);

/// The id of what this key made before. The key is locked until the transaction ends, so that
/// of two requests at once the second finds what the first made.
pub(crate) async fn made_before(
    tx: &mut Tx,
    me: ProfileId,
    key: Option<&IdempotencyKey>,
    now: DateTime<Utc>,
) -> Result<Option<Uuid>, TxError> {
    let Some(key) = key else {
        return Ok(None);
    };
    access::lock_number(tx, lock_of(me, key)).await?;
    let found = tx
        .row(
            "SELECT fingerprint, turn_id FROM idempotency_keys \
             WHERE profile_id = $1 AND route = $2 AND key = $3 AND created_at >= $4",
            &[
                me.into(),
                (&key.route).into(),
                (&key.key).into(),
                (now - KEYS_KEPT).into(),
            ],
        )
        .await?;
    match found {
        None => Ok(None),
        Some(row) if row.get::<String>("fingerprint")? == key.fingerprint => {
            Ok(Some(row.get("turn_id")?))
        }
        Some(_) => Err(StoreError::KeyReused.into()),
    }
}

/// Remembers what the key made.
pub(crate) async fn remember(
    tx: &mut Tx,
    me: ProfileId,
    key: Option<&IdempotencyKey>,
    made: Uuid,
    now: DateTime<Utc>,
) -> Result<(), TxError> {
    let Some(key) = key else {
        return Ok(());
    };
    tx.execute_later(
        "DELETE FROM idempotency_keys WHERE profile_id = $1 AND created_at < $2",
        vec![me.into(), (now - KEYS_KEPT).into()],
    )
    .await?;
    tx.execute_later(
        "INSERT INTO idempotency_keys (profile_id, route, key, fingerprint, turn_id, created_at) \
         VALUES ($1, $2, $3, $4, $5, $6)",
        vec![
            me.into(),
            (&key.route).into(),
            (&key.key).into(),
            (&key.fingerprint).into(),
            made.into(),
            now.into(),
        ],
    )
    .await?;
    Ok(())
}

fn lock_of(me: ProfileId, key: &IdempotencyKey) -> i64 {
    let mut hash = Sha256::new();
    hash.update(me.uuid().as_bytes());
    hash.update(key.route.as_bytes());
    hash.update([0]);
    hash.update(key.key.as_bytes());
    let digest = hash.finalize();
    let mut number = [0; 8];
    number.copy_from_slice(&digest[..8]);
    i64::from_be_bytes(number)
}
