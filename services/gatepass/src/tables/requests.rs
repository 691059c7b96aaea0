//! Answers that were given under an idempotency key, written in the transaction of the change they answer for.

use chrono::{DateTime, Utc};
use frontdesk_db::{DbError, Tx};

/// What makes two requests the same one.
#[derive(Clone, Debug)]
pub(crate) struct RequestKey {
    pub(crate) principal: String,
    pub(crate) route: &'static str,
    pub(crate) key: String,
}

pub(crate) enum Claim {
    /// The key is new and ours until this transaction ends.
    First,
    /// It was used before, for a request with this fingerprint and this answer.
    Seen {
        fingerprint: Vec<u8>,
        status: u16,
        body: String,
    },
}

/// Takes the key, or tells what it was used for. Another request with the same key waits here until this one ends.
pub(crate) async fn claim(
    tx: &mut Tx,
    key: &RequestKey,
    fingerprint: &[u8],
    now: DateTime<Utc>,
) -> Result<Claim, DbError> {
    let taken = tx
        .execute(
            "INSERT INTO gatepass_requests (principal, route, key, fingerprint, created_at) VALUES ($1, $2, $3, $4, $5)
             ON CONFLICT (principal, route, key) DO NOTHING",
            &[(&key.principal).into(), key.route.into(), (&key.key).into(), fingerprint.into(), now.into()],
        )
        .await?;
    if taken == 1 {
        return Ok(Claim::First);
    }
    let row = tx
        .row(
            "SELECT fingerprint, status, body FROM gatepass_requests WHERE principal = $1 AND route = $2 AND key = $3",
            &[(&key.principal).into(), key.route.into(), (&key.key).into()],
        )
        .await?
        // It was there a moment ago and has just been purged: the caller may simply try again.
        .ok_or_else(|| DbError::Busy { place: "this idempotency key".to_owned() })?;
    let status: i64 = row.get("status")?;
    Ok(Claim::Seen {
        fingerprint: row.get("fingerprint")?,
        status: u16::try_from(status).unwrap_or(500),
        body: row.get("body")?,
    })
}

/// Keeps the answer for whoever asks again.
pub(crate) async fn answer(
    tx: &mut Tx,
    key: &RequestKey,
    status: u16,
    body: &str,
) -> Result<(), DbError> {
    tx.execute_later(
        "UPDATE gatepass_requests SET status = $4, body = $5 WHERE principal = $1 AND route = $2 AND key = $3",
        vec![
            (&key.principal).into(),
            key.route.into(),
            (&key.key).into(),
            i64::from(status).into(),
            body.into(),
        ],
    )
    .await
}

/// Forgets keys that were last used before `then`.
pub(crate) async fn purge(tx: &mut Tx, then: DateTime<Utc>) -> Result<u64, DbError> {
    tx.execute(
        "DELETE FROM gatepass_requests WHERE created_at < $1",
        &[then.into()],
    )
    .await
}
