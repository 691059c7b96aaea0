//! Profiles, and companies as far as signing in needs them.

use chrono::{DateTime, Utc};
use frontdesk_core::access::{CompanyRole, Membership, Principal};
use frontdesk_core::change_notice::ChangeNotice;
use frontdesk_core::id::{CompanyId, ProfileId};
use frontdesk_core::store::{Account, NewCompany, Profile, ProfilePatch, StoreError};
use frontdesk_db::{Claims, DbError, Dialect, Row, Tx, Value};
use uuid::Uuid;

use crate::access::{self, Kind};
use crate::rows::{micros, name_of, named};
use crate::tx_error::TxError;
use crate::{Store, change_feed};

/// The platform itself keeps companies; people come to them by invitations.
const REASON: &str = "company administration";

impl Store {
    /// The account's profile, created on first sign-in, and its current memberships. The address
    /// follows the issuer; the person owns the name once the profile exists.
    pub async fn sign_in(
        &self,
        account: Account,
    ) -> Result<(Profile, Vec<Membership>), StoreError> {
        let claims = Claims::subject(account.subject);
        let subject = account.subject;
        let known = self
            .read_as(&claims, move |tx| Box::pin(known(tx, subject)))
            .await?;
        match known {
            Some((profile, _)) if account.email.is_some() && account.email != profile.email => {
                self.write_as(&claims, move |tx| Box::pin(new_address(tx, account)))
                    .await
            }
            Some(known) => Ok(known),
            None => {
                self.write_as(&claims, move |tx| Box::pin(first_sight(tx, account)))
                    .await
            }
        }
    }

    /// Creates a company with its owner, or returns it if the id exists.
    pub async fn ensure_company(&self, new: NewCompany) -> Result<CompanyId, StoreError> {
        self.write_as(&Claims::system(REASON), move |tx| {
            Box::pin(ensure_company(tx, new))
        })
        .await
    }

    pub async fn add_member(
        &self,
        company: CompanyId,
        profile: ProfileId,
        standing: CompanyRole,
        now: DateTime<Utc>,
    ) -> Result<(), StoreError> {
        self.write_as(&Claims::system(REASON), move |tx| {
            Box::pin(add_member(tx, company, profile, standing, now))
        })
        .await
    }

    pub async fn remove_member(
        &self,
        company: CompanyId,
        profile: ProfileId,
    ) -> Result<(), StoreError> {
        self.write_as(&Claims::system(REASON), move |tx| {
            Box::pin(remove_member(tx, company, profile))
        })
        .await
    }
}

/// Profiles as people see and edit them.
impl Store {
    /// One's own profile, or that of a member of one's companies.
    pub async fn profile(&self, who: &Principal, id: ProfileId) -> Result<Profile, StoreError> {
        self.read(who, move |tx, me| Box::pin(visible(tx, me, id)))
            .await
    }

    /// Changes one's own profile; only the issuer changes the address.
    pub async fn update_profile(
        &self,
        who: &Principal,
        patch: ProfilePatch,
    ) -> Result<Profile, StoreError> {
        self.write(who, move |tx, me| {
            Box::pin(async move {
                tx.execute(
                    "UPDATE profiles SET display_name = coalesce($2, display_name), \
                         avatar_url = nullif(coalesce($3, avatar_url), ''), updated_at = $4 \
                     WHERE id = $1",
                    &[
                        me.into(),
                        patch.display_name.into(),
                        patch.avatar_url.into(),
                        micros(patch.now).into(),
                    ],
                )
                .await?;
                visible(tx, me, me).await
            })
        })
        .await
    }
}

/// One's own, or a colleague's.
async fn visible(tx: &mut Tx, me: ProfileId, id: ProfileId) -> Result<Profile, TxError> {
    let values: [Value; 2] = [me.into(), id.into()];
    let row = tx
        .row(
            "SELECT p.id, p.user_id, p.display_name, p.email, p.avatar_url, p.created_at, \
                 p.updated_at FROM profiles p WHERE p.id = $2 AND (p.id = $1 OR EXISTS (SELECT 1 \
                 FROM company_members a JOIN company_members b ON b.company_id = a.company_id \
                 WHERE a.profile_id = $1 AND b.profile_id = p.id))",
            &values,
        )
        .await?;
    match row {
        Some(row) => profile(&row),
        None => Err(access::refusal(tx, Kind::Profile, id.uuid()).await?),
    }
}

fn profile(row: &Row) -> Result<Profile, TxError> {
    Ok(Profile {
        id: row.get("id")?,
        user_id: row.get("user_id")?,
        display_name: row.get("display_name")?,
        email: row.get("email")?,
        avatar_url: row.get("avatar_url")?,
        created_at: row.get("created_at")?,
        updated_at: row.get("updated_at")?,
    })
}

pub(crate) fn membership(row: &Row) -> Result<Membership, TxError> {
    Ok(Membership {
        company: row.get("company_id")?,
        standing: named(row, "role")?,
    })
}

const KNOWN: &str = "SELECT p.id, p.user_id, p.display_name, p.email, p.avatar_url, p.created_at, \
     p.updated_at, m.company_id, m.role \
     FROM profiles p LEFT JOIN company_members m ON m.profile_id = p.id \
     WHERE p.user_id = $1 ORDER BY m.company_id";

/// Asks as [`known`] does, for nobody.
pub(crate) async fn prepare(tx: &mut Tx) -> Result<(), TxError> {
    tx.rows(KNOWN, &[Uuid::nil().into()]).await?;
    Ok(())
}

async fn known(tx: &mut Tx, subject: Uuid) -> Result<Option<(Profile, Vec<Membership>)>, TxError> {
    let found = tx.last_rows(KNOWN, &[subject.into()]).await?;
    let Some(first) = found.first() else {
        return Ok(None);
    };
    let profile = profile(first)?;
    let mut memberships = Vec::new();
    for row in &found {
        if row.get::<Option<Uuid>>("company_id")?.is_some() {
            memberships.push(membership(row)?);
        }
    }
    Ok(Some((profile, memberships)))
}

/// Two first requests may come at once; one of them makes the profile, both find it.
async fn first_sight(tx: &mut Tx, account: Account) -> Result<(Profile, Vec<Membership>), TxError> {
    tx.execute_later(
        "INSERT INTO profiles (id, user_id, display_name, email, created_at, updated_at) \
         VALUES ($1, $2, $3, $4, $5, $5) ON CONFLICT (user_id) DO NOTHING",
        vec![
            account.profile.into(),
            account.subject.into(),
            account.name.into(),
            account.email.into(),
            account.now.into(),
        ],
    )
    .await?;
    known(tx, account.subject).await?.ok_or_else(|| {
        StoreError::Internal("a profile was made and cannot be found".to_owned()).into()
    })
}

/// The issuer knows another address by now.
async fn new_address(tx: &mut Tx, account: Account) -> Result<(Profile, Vec<Membership>), TxError> {
    tx.execute(
        "UPDATE profiles SET email = $2, updated_at = $3 WHERE user_id = $1",
        &[
            account.subject.into(),
            account.email.into(),
            account.now.into(),
        ],
    )
    .await?;
    known(tx, account.subject).await?.ok_or_else(|| {
        StoreError::Internal("a profile was changed and cannot be found".to_owned()).into()
    })
}

async fn ensure_company(tx: &mut Tx, new: NewCompany) -> Result<CompanyId, TxError> {
    let values: Vec<Value> = vec![
        new.id.into(),
        new.name.into(),
        new.owner.into(),
        new.now.into(),
    ];
    match tx.dialect() {
        Dialect::Postgres => {
            tx.execute("SELECT fd.ensure_company($1, $2, $3, $4)", &values)
                .await
                .map_err(missing_parent)?;
        }
        Dialect::Sqlite => {
            let made = tx
                .execute(
                    "INSERT INTO companies (id, name, owner_id, created_at) \
                     VALUES ($1, $2, $3, $4) ON CONFLICT (id) DO NOTHING",
                    &values,
                )
                .await
                .map_err(missing_parent)?;
            if made == 1 {
                add_member(tx, new.id, new.owner, CompanyRole::Owner, new.now).await?;
            }
        }
    }
    Ok(new.id)
}

async fn add_member(
    tx: &mut Tx,
    company: CompanyId,
    profile: ProfileId,
    standing: CompanyRole,
    now: DateTime<Utc>,
) -> Result<(), TxError> {
    let sql = match tx.dialect() {
        Dialect::Postgres => "SELECT fd.add_member($1, $2, $3, $4)",
        Dialect::Sqlite => {
            "INSERT INTO company_members (company_id, profile_id, role, joined_at) \
             VALUES ($1, $2, $3, $4) \
             ON CONFLICT (company_id, profile_id) DO UPDATE SET role = excluded.role"
        }
    };
    let values: Vec<Value> = vec![
        company.into(),
        profile.into(),
        name_of(&standing)?.into(),
        now.into(),
    ];
    tx.execute(sql, &values).await.map_err(missing_parent)?;
    publish_membership(tx, company, profile, true)
}

/// Announces a changed membership to every node.
pub(crate) fn publish_membership(
    tx: &mut Tx,
    company: CompanyId,
    profile: ProfileId,
    joined: bool,
) -> Result<(), TxError> {
    let notice = ChangeNotice::Membership {
        profile,
        company,
        joined,
    };
    change_feed::publish(tx, &notice)
}

async fn remove_member(tx: &mut Tx, company: CompanyId, profile: ProfileId) -> Result<(), TxError> {
    let values: [Value; 2] = [company.into(), profile.into()];
    let sql = match tx.dialect() {
        Dialect::Postgres => "SELECT role FROM fd.remove_member($1, $2) AS role",
        Dialect::Sqlite => {
            "SELECT role FROM company_members WHERE company_id = $1 AND profile_id = $2"
        }
    };
    let role = match tx.row(sql, &values).await? {
        Some(row) => row.get::<Option<String>>("role")?,
        None => None,
    };
    match role.as_deref() {
        None => return Err(StoreError::NotFound.into()),
        Some("owner") => {
            return Err(StoreError::Conflict(
                "the owner of a company cannot be removed from it".to_owned(),
            )
            .into());
        }
        Some(_) => {}
    }
    if tx.dialect() == Dialect::Sqlite {
        tx.execute(
            "DELETE FROM company_members WHERE company_id = $1 AND profile_id = $2",
            &values,
        )
        .await?;
    }
    publish_membership(tx, company, profile, false)
}

/// A company or a profile that is not there.
fn missing_parent(error: DbError) -> TxError {
    if matches!(error, DbError::ForeignKey { .. }) {
        return StoreError::NotFound.into();
    }
    error.into()
}
