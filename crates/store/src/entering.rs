//! Coming into a conversation: who it is and what they came for, in one look.

use std::sync::LazyLock;

use frontdesk_core::access::Membership;
use frontdesk_core::id::ConversationId;
use frontdesk_core::store::{Account, Entered, People, StoreError};
use frontdesk_db::{Claims, Dialect, Tx};
use uuid::Uuid;

use crate::fault::Fault;
use crate::rows::{self, CONVERSATION, id, named};
use crate::{Store, access};

/// The conversation `$1` with the person `$2`, once for each of their companies, if they may see it.
static ENTERED: LazyLock<String> = LazyLock::new(|| {
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

/// The same on Postgres, where the claims say who it is.
const ENTERED_POSTGRES: &str = "SELECT * FROM fd.enter($1)";

/// What one look finds, and the address that the profile has.
struct Found {
    entered: Entered,
    email: Option<String>,
}

pub(crate) async fn enter(
    store: &Store,
    account: Account,
    conversation: ConversationId,
) -> Result<Entered, StoreError> {
    let claims = Claims::subject(account.subject);
    let subject = account.subject;
    let found = store
        .read_as(&claims, move |tx| Box::pin(look(tx, subject, conversation)))
        .await?;
    if let Some(found) = found
        && (account.email.is_none() || account.email == found.email)
    {
        return Ok(found.entered);
    }
    // Somebody new, a new address, or nothing that they may see: seldom, and one thing after the other.
    let (profile, companies) = store.sign_in(account).await?;
    let me = profile.id;
    let conversation = store
        .read_as(&claims, move |tx| {
            Box::pin(
                async move { rows::conversation(&access::only_seen(tx, me, conversation).await?) },
            )
        })
        .await?;
    Ok(Entered {
        profile: me,
        name: profile.display_name,
        companies,
        conversation,
    })
}

/// Asks as [`enter`] does on Postgres, for nobody.
pub(crate) async fn warm_up(tx: &mut Tx) -> Result<(), Fault> {
    tx.rows(ENTERED_POSTGRES, &[Uuid::nil().into()]).await?;
    Ok(())
}

async fn look(
    tx: &mut Tx,
    subject: Uuid,
    conversation: ConversationId,
) -> Result<Option<Found>, Fault> {
    let conversation = conversation.uuid().into();
    let found = match tx.dialect() {
        Dialect::Sqlite => {
            let values = [conversation, subject.into()];
            tx.last_rows(&ENTERED, &values).await?
        }
        Dialect::Postgres => tx.last_rows(ENTERED_POSTGRES, &[conversation]).await?,
    };
    let Some(first) = found.first() else {
        return Ok(None);
    };
    let mut companies = Vec::new();
    for row in &found {
        if row.get::<Option<Uuid>>("member_of")?.is_some() {
            companies.push(Membership {
                company: id(row, "member_of")?,
                standing: named(row, "standing")?,
            });
        }
    }
    Ok(Some(Found {
        email: first.get("email")?,
        entered: Entered {
            profile: id(first, "profile_id")?,
            name: first.get("display_name")?,
            companies,
            conversation: rows::conversation(first)?,
        },
    }))
}
