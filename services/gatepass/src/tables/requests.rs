//! Responses by idempotency key, written in the transaction of the change.

use chrono::{DateTime, Utc};
use frontdesk_db::{DbError, Tx};

/// Identifies a request.
#[derive(Clone, Debug)]
pub(crate) struct RequestKey {
    pub(crate) principal: String,
    pub(crate) route: &'static str,
    pub(crate) key: String,
}

pub(crate) enum Claim {
    /// The key is new and locked until this transaction ends.
    First,
    /// The key was used, for a request with this fingerprint and this response.
    Seen {
        fingerprint: Vec<u8>,
        status: u16,
        body: String,
    },
}

/// Claims the key, or returns its earlier use. A concurrent request with the same key waits
/// until this transaction ends.
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
        // The key was purged between the two statements: the caller may retry.
        .ok_or_else(|| DbError::Busy { place: "this idempotency key".to_owned() })?;
    let status: i64 = row.get("status")?;
    Ok(Claim::Seen {
        fingerprint: row.get("fingerprint")?,
        status: u16::try_from(status).unwrap_or(500),
        body: row.get("body")?,
    })
}

/// Stores the response for repeated requests.
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

/// Deletes keys last used before `then`.
pub(crate) async fn purge(tx: &mut Tx, then: DateTime<Utc>) -> Result<u64, DbError> {
    tx.execute(
        "DELETE FROM gatepass_requests WHERE created_at < $1",
        &[then.into()],
    )
    .await
}
