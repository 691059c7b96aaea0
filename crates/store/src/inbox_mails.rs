//! People who want a mail when something waits for them.

use chrono::{DateTime, Utc};
use frontdesk_core::access::Principal;
use frontdesk_core::store::StoreError;
use frontdesk_db::{Claims, Dialect, Value};

use crate::Store;
use crate::rows::micros;

const REASON: &str = "mailing people about their inbox";

/// One person who wants mails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InboxMail {
    pub language: String,
    /// The verified claims of the person's newest sign-in, as JSON.
    pub identity: String,
    /// The items of the last mail, as JSON.
    pub mailed: String,
    pub mailed_at: Option<DateTime<Utc>>,
}

impl Store {
    /// The language of the caller's mails; `None` if they want none.
    pub async fn inbox_mail_language(&self, who: &Principal) -> Result<Option<String>, StoreError> {
        self.read(who, |tx, me| {
            Box::pin(async move {
                let sql = "SELECT language FROM inbox_mails WHERE profile_id = $1";
                let row = tx.row(sql, &[me.into()]).await?;
                Ok(row.map(|row| row.get("language")).transpose()?)
            })
        })
        .await
    }

    /// Turns mails on, or changes their language.
    pub async fn turn_on_inbox_mails(
        &self,
        who: &Principal,
        language: &str,
        identity: String,
        now: DateTime<Utc>,
    ) -> Result<(), StoreError> {
        let values: [Value; 4] = [
            who.profile().uuid().into(),
            language.into(),
            identity.into(),
            micros(now).into(),
        ];
        let sql = "INSERT INTO inbox_mails (profile_id, language, identity, signed_in_at) \
             VALUES ($1, $2, $3::text::json, $4) ON CONFLICT (profile_id) DO UPDATE SET \
             language = excluded.language, identity = excluded.identity, signed_in_at = excluded.signed_in_at";
        self.run(who, sql, values).await.map(drop)
    }

    pub async fn turn_off_inbox_mails(&self, who: &Principal) -> Result<(), StoreError> {
        let sql = "DELETE FROM inbox_mails WHERE profile_id = $1";
        let values = [who.profile().uuid().into()];
        self.run(who, sql, values).await.map(drop)
    }

    /// Keeps the roles of the newest sign-in. Does nothing for people who want no mails.
    pub async fn refresh_inbox_mails(
        &self,
        who: &Principal,
        identity: String,
        now: DateTime<Utc>,
    ) -> Result<(), StoreError> {
        let values: [Value; 3] = [
            who.profile().uuid().into(),
            identity.into(),
            micros(now).into(),
        ];
        let sql = "UPDATE inbox_mails SET identity = $2::text::json, signed_in_at = $3 WHERE profile_id = $1";
        self.run(who, sql, values).await.map(drop)
    }

    /// Records a mail. `false` if another node recorded one since `before`, so that one node sends.
    pub async fn record_inbox_mail(
        &self,
        who: &Principal,
        before: Option<DateTime<Utc>>,
        mailed: String,
        now: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        let values: [Value; 4] = [
            who.profile().uuid().into(),
            mailed.into(),
            micros(now).into(),
            before.map(micros).into(),
        ];
        let sql = "UPDATE inbox_mails SET mailed = $2::text::json, mailed_at = $3 \
             WHERE profile_id = $1 AND mailed_at IS NOT DISTINCT FROM $4";
        Ok(self.run(who, sql, values).await? > 0)
    }

    /// Everybody who wants mails and signed in after `since`.
    pub async fn inbox_mails(&self, since: DateTime<Utc>) -> Result<Vec<InboxMail>, StoreError> {
        self.read_as(&Claims::system(REASON), move |tx| {
            Box::pin(async move {
                let sql = match tx.dialect() {
                    Dialect::Postgres => {
                        "SELECT language, identity, mailed, mailed_at FROM fd.inbox_mails($1)"
                    }
                    Dialect::Sqlite => {
                        "SELECT language, identity, mailed, mailed_at FROM inbox_mails \
                         WHERE signed_in_at > $1"
                    }
                };
                let rows = tx.rows(sql, &[micros(since).into()]).await?;
                let found = rows.iter().map(|row| {
                    Ok(InboxMail {
                        language: row.get("language")?,
                        identity: row.get("identity")?,
                        mailed: row.get("mailed")?,
                        mailed_at: row.get("mailed_at")?,
                    })
                });
                found.collect()
            })
        })
        .await
    }

    async fn run<const N: usize>(
        &self,
        who: &Principal,
        sql: &'static str,
        values: [Value; N],
    ) -> Result<u64, StoreError> {
        self.write(who, move |tx, _| {
            Box::pin(async move { Ok(tx.execute(sql, &values).await?) })
        })
        .await
    }
}
