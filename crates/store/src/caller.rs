//! Loads the caller and the conversation that they ask for, in one statement.

use std::sync::LazyLock;

use frontdesk_core::access::Membership;
use frontdesk_core::id::ConversationId;
use frontdesk_core::store::{Account, Entered, StoreError};
use frontdesk_db::{Claims, Dialect, Tx};
use uuid::Uuid;

use crate::rows::{self, CONVERSATION, named};
use crate::tx_error::TxError;
use crate::{Store, access};

/// The conversation `$1` with the person `$2`, once for each of their companies, if they may see it.
static LOAD: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT {CONVERSATION}, p.id AS profile_id, p.display_name, p.email, \
             m.company_id AS member_of, m.role AS standing \
         FROM profiles p CROSS JOIN conversations c \
         LEFT JOIN company_members m ON m.profile_id = p.id \
         WHERE c.id = $1 AND p.user_id = $2 AND {} \
         ORDER BY m.company_id",
        access::access_of!("p.id")
    )
});

/// The same on Postgres, where the claims identify the caller.
const LOAD_POSTGRES: &str = "SELECT * FROM fd.load_caller_and_conversation($1)";

impl Store {
    /// Signs in and loads a conversation that the person may see, mostly in one query.
    pub async fn enter(
        &self,
        account: Account,
        conversation: ConversationId,
    ) -> Result<Entered, StoreError> {
        let claims = Claims::subject(account.subject);
        let subject = account.subject;
        let found = self
            .read_as(&claims, move |tx| Box::pin(load(tx, subject, conversation)))
            .await?;
        if let Some((entered, email)) = found
            && (account.email.is_none() || account.email == email)
        {
            return Ok(entered);
        }
        // Rare: a new person, a new address, or no access.
        let (profile, companies) = self.sign_in(account).await?;
        let me = profile.id;
        let conversation = self
            .read_as(&claims, move |tx| {
                Box::pin(async move {
                    rows::conversation(&access::only_seen(tx, me, conversation).await?)
                })
            })
            .await?;
        Ok(Entered {
            profile: me,
            name: profile.display_name,
            companies,
            conversation,
        })
    }
}

/// Prepares the statement of [`Store::enter`] on a new connection.
pub(crate) async fn prepare(tx: &mut Tx) -> Result<(), TxError> {
    tx.rows(LOAD_POSTGRES, &[Uuid::nil().into()]).await?;
    Ok(())
}

/// The caller in the conversation, and the email address of their profile.
async fn load(
    tx: &mut Tx,
    subject: Uuid,
    conversation: ConversationId,
) -> Result<Option<(Entered, Option<String>)>, TxError> {
    let conversation = conversation.into();
    let found = match tx.dialect() {
        Dialect::Sqlite => {
            let values = [conversation, subject.into()];
            tx.last_rows(&LOAD, &values).await?
        }
        Dialect::Postgres => tx.last_rows(LOAD_POSTGRES, &[conversation]).await?,
    };
    let Some(first) = found.first() else {
        return Ok(None);
    };
    let mut companies = Vec::new();
    for row in &found {
        if row.get::<Option<Uuid>>("member_of")?.is_some() {
            companies.push(Membership {
                company: row.get("member_of")?,
                standing: named(row, "standing")?,
            });
        }
    }
    let entered = Entered {
        profile: first.get("profile_id")?,
        name: first.get("display_name")?,
        companies,
        conversation: rows::conversation(first)?,
    };
    Ok(Some((entered, first.get("email")?)))
}
