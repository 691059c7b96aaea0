//! API tokens: a person's own, stored as a hash.

use chrono::{DateTime, Utc};
use frontdesk_core::access::Principal;
use frontdesk_core::id::{ApiTokenId, ProfileId};
use frontdesk_core::store::{ApiToken, MAX_API_TOKENS, NewApiToken, StoreError};
use frontdesk_db::{Claims, Dialect, Row, Tx, Value};
use uuid::Uuid;

use crate::rows::micros;
use crate::tx_error::TxError;
use crate::{Store, keys};

/// Nobody is signed in yet when a token is looked up.
const REASON: &str = "signing in with an API token";
const TOKEN: &str = "SELECT id, name, created_at, expires_at FROM api_tokens";

impl Store {
    /// A token of the caller. Only its hash is stored.
    pub async fn create_api_token(
        &self,
        who: &Principal,
        new: NewApiToken,
    ) -> Result<ApiToken, StoreError> {
        let me = who.profile();
        self.write_again(who, || {
            let new = new.clone();
            Box::new(move |tx| Box::pin(create(tx, me, new)))
        })
        .await
    }

    /// The caller's own, oldest first.
    pub async fn api_tokens(&self, who: &Principal) -> Result<Vec<ApiToken>, StoreError> {
        self.read(who, move |tx, me| Box::pin(list(tx, me))).await
    }

    pub async fn revoke_api_token(
        &self,
        who: &Principal,
        id: ApiTokenId,
    ) -> Result<(), StoreError> {
        self.write(who, move |tx, me| {
            Box::pin(async move {
                let values: [Value; 2] = [me.into(), id.into()];
                let sql = "DELETE FROM api_tokens WHERE profile_id = $1 AND id = $2";
                match tx.execute(sql, &values).await? {
                    0 => Err(StoreError::NotFound.into()),
                    _ => Ok(()),
                }
            })
        })
        .await
    }

    /// The identity that a token was created with, while it is valid.
    pub async fn identity_of_token(
        &self,
        hash: String,
        now: DateTime<Utc>,
    ) -> Result<Option<(String, DateTime<Utc>)>, StoreError> {
        self.read_as(&Claims::system(REASON), move |tx| {
            Box::pin(async move {
                let sql = match tx.dialect() {
                    Dialect::Postgres => "SELECT identity, expires_at FROM fd.token_identity($1, $2)",
                    Dialect::Sqlite => {
                        "SELECT identity, expires_at FROM api_tokens WHERE hash = $1 AND expires_at > $2"
                    }
                };
                let found = tx.last_row(sql, &[hash.into(), now.into()]).await?;
                found
                    .map(|row| Ok((row.get("identity")?, row.get("expires_at")?)))
                    .transpose()
            })
        })
        .await
    }
}

fn token(row: &Row) -> Result<ApiToken, TxError> {
    Ok(ApiToken {
        id: row.get("id")?,
        name: row.get("name")?,
        created_at: row.get("created_at")?,
        expires_at: row.get("expires_at")?,
    })
}

async fn list(tx: &mut Tx, me: ProfileId) -> Result<Vec<ApiToken>, TxError> {
    let sql = format!("{TOKEN} WHERE profile_id = $1 ORDER BY created_at, id");
    let rows = tx.rows(&sql, &[me.into()]).await?;
    rows.iter().map(token).collect()
}

async fn create(tx: &mut Tx, me: ProfileId, new: NewApiToken) -> Result<ApiToken, TxError> {
    let now = micros(new.now);
    if keys::made_before(tx, me, new.key.as_ref(), now)
        .await?
        .is_some()
    {
        let problem = "this token was created already; it is shown only once";
        return Err(StoreError::Conflict(problem.to_owned()).into());
    }
    if list(tx, me).await?.len() >= MAX_API_TOKENS {
        let problem = format!("you have {MAX_API_TOKENS} tokens; revoke one first");
        return Err(StoreError::Conflict(problem).into());
    }
    let created = ApiToken {
        id: new.id,
        name: new.name,
        created_at: now,
        expires_at: micros(new.expires_at),
    };
    let made: Uuid = created.id.uuid();
    let values: [Value; 7] = [
        made.into(),
        me.into(),
        (&created.name).into(),
        new.hash.into(),
        new.identity.into(),
        created.created_at.into(),
        created.expires_at.into(),
    ];
    tx.execute(
        "INSERT INTO api_tokens (id, profile_id, name, hash, identity, created_at, expires_at) \
         VALUES ($1, $2, $3, $4, $5::text::json, $6, $7)",
        &values,
    )
    .await?;
    keys::remember(tx, me, new.key.as_ref(), made, now).await?;
    Ok(created)
}
