//! Access to conversations. One without a company is its owner's. A company's conversation
//! is open to those who are members now: having begun it gives no right. One about a subject is
//! open to its own person alone, while they are a member of the subject's company.

use std::sync::LazyLock;

use frontdesk_core::access::{CompanyRole, Principal};
use frontdesk_core::conversation::Conversation;
use frontdesk_core::id::{CompanyId, ConversationId, ProfileId};
use frontdesk_core::store::StoreError;
use frontdesk_db::{Dialect, Row, Tx};
use serde_json::json;
use strum::IntoStaticStr;
use uuid::Uuid;

use crate::rows::{CONVERSATION, named};
use crate::tx_error::TxError;

/// True for the conversations `c` that a profile may see. Memberships are read live, so that a
/// token outlives no membership. `migrations/0013_access` has the same for PostgreSQL's own functions.
macro_rules! access_of {
    ($profile:literal) => {
        concat!(
            "((c.company_id IS NULL AND c.subject IS NULL AND c.user_id = ",
            $profile,
            ") OR ((c.subject IS NULL OR c.user_id = ",
            $profile,
            ") AND c.company_id IN (SELECT cm.company_id FROM company_members cm \
             WHERE cm.profile_id = ",
            $profile,
            ")))"
        )
    };
}
pub(crate) use access_of;

/// The same for the profile `$1`.
pub(crate) const ACCESS: &str = access_of!("$1");

/// Kinds of objects that have an id, with their names in `fd.exists`.
#[derive(Clone, Copy, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "lowercase", const_into_str)]
pub(crate) enum Kind {
    Conversation,
    Attachment,
    Turn,
    Message,
    Company,
    Profile,
    Invitation,
}

impl Kind {
    fn table(self) -> &'static str {
        match self {
            Kind::Conversation => "conversations",
            Kind::Attachment => "attachments",
            Kind::Turn => "turns",
            Kind::Message => "messages",
            Kind::Company => "companies",
            Kind::Profile => "profiles",
            Kind::Invitation => "invitations",
        }
    }
}

/// Tells what exists and is foreign from what is not there.
pub(crate) async fn refusal(tx: &mut Tx, kind: Kind, id: Uuid) -> Result<TxError, TxError> {
    let sql = match tx.dialect() {
        Dialect::Postgres => format!("SELECT fd.exists('{}', $1) AS found", kind.into_str()),
        Dialect::Sqlite => format!(
            "SELECT EXISTS (SELECT 1 FROM {} WHERE id = $1) AS found",
            kind.table()
        ),
    };
    let row = tx.row(&sql, &[id.into()]).await?;
    let found = match row {
        Some(row) => row.get::<bool>("found")?,
        None => false,
    };
    Ok(TxError::Store(if found {
        StoreError::Forbidden
    } else {
        StoreError::NotFound
    }))
}

static SEEN: LazyLock<String> = LazyLock::new(|| {
    format!("SELECT {CONVERSATION} FROM conversations c WHERE c.id = $2 AND {ACCESS}")
});

/// The conversation's row, if this person may see it.
pub(crate) async fn seen(tx: &mut Tx, who: ProfileId, id: ConversationId) -> Result<Row, TxError> {
    let found = tx.row(&SEEN, &[who.into(), id.into()]).await?;
    or_refusal(tx, found, id).await
}

/// The same for a transaction that asks for nothing else.
pub(crate) async fn only_seen(
    tx: &mut Tx,
    who: ProfileId,
    id: ConversationId,
) -> Result<Row, TxError> {
    let values = [who.into(), id.into()];
    let found = tx.last_row(&SEEN, &values).await?;
    or_refusal(tx, found, id).await
}

async fn or_refusal(tx: &mut Tx, found: Option<Row>, id: ConversationId) -> Result<Row, TxError> {
    match found {
        Some(row) => Ok(row),
        None => Err(refusal(tx, Kind::Conversation, id.uuid()).await?),
    }
}

/// A person's standing in a company now; `None` where they are no member.
pub(crate) async fn standing(
    tx: &mut Tx,
    who: ProfileId,
    company: CompanyId,
) -> Result<Option<CompanyRole>, TxError> {
    let sql = "SELECT role FROM company_members WHERE profile_id = $1 AND company_id = $2";
    let values = [who.into(), company.into()];
    let found = tx.row(sql, &values).await?;
    found.map(|row| named(&row, "role")).transpose()
}

/// Whether somebody owns the company of a conversation.
pub(crate) async fn owns_company_of(
    tx: &mut Tx,
    me: ProfileId,
    conversation: &Conversation,
) -> Result<bool, TxError> {
    match conversation.company_id {
        Some(company) => Ok(standing(tx, me, company).await? == Some(CompanyRole::Owner)),
        None => Ok(false),
    }
}

/// Holds the conversation against other writers until the transaction ends. An advisory lock,
/// because a locked row would be a write, and a request that is refused writes nothing. SQLite
/// has one writer at a time anyway.
pub(crate) async fn lock(tx: &mut Tx, id: ConversationId) -> Result<(), TxError> {
    lock_number(tx, lock_of(id)).await
}

/// The number that stands for a conversation among the locks.
pub(crate) fn lock_of(id: ConversationId) -> i64 {
    let (high, low) = id.uuid().as_u64_pair();
    (high ^ low).cast_signed()
}

/// Adds the person's roles and address to the claims of the transaction, as a token would carry
/// them, for the few policies that ask for one of these.
pub(crate) async fn act_with_roles(tx: &mut Tx, who: &Principal) -> Result<(), TxError> {
    match tx.dialect() {
        Dialect::Sqlite => Ok(()),
        Dialect::Postgres => {
            let claims = json!({
                "sub": who.subject(),
                "role": "authenticated",
                "email": who.email(),
                "app_metadata": { "roles": who.roles() },
            });
            Ok(tx
                .execute_later(
                    "SELECT set_config('request.jwt.claims', $1, true)",
                    vec![claims.to_string().into()],
                )
                .await?)
        }
    }
}

/// Holds a number against other transactions.
pub(crate) async fn lock_number(tx: &mut Tx, number: i64) -> Result<(), TxError> {
    match tx.dialect() {
        Dialect::Sqlite => Ok(()),
        Dialect::Postgres => Ok(tx
            .execute_later("SELECT pg_advisory_xact_lock($1)", vec![number.into()])
            .await?),
    }
}
