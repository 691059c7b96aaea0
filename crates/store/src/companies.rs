//! Companies and their members, as those see them who belong to them.

use chrono::{DateTime, Utc};
use frontdesk_core::access::{CompanyRole, Principal};
use frontdesk_core::id::{CompanyId, ProfileId};
use frontdesk_core::store::{
    AuditOutcome, Company, CompanyDraft, MAX_OWNED_COMPANIES, Member, StoreError,
};
use frontdesk_db::{Dialect, Row, Tx, Value};

use crate::access::Kind;
use crate::audit::{self, Act};
use crate::rows::{micros, named};
use crate::tx_error::TxError;
use crate::{Store, access, keys, people};

impl Store {
    /// Creates a company owned by this person.
    pub async fn found(&self, who: &Principal, new: CompanyDraft) -> Result<Company, StoreError> {
        self.write(who, move |tx, me| Box::pin(found(tx, me, new)))
            .await
    }

    /// This person's companies, by name.
    pub async fn companies(&self, who: &Principal) -> Result<Vec<Company>, StoreError> {
        self.read(who, move |tx, me| {
            Box::pin(async move {
                let sql = format!("{COMPANY} WHERE m.profile_id = $1 ORDER BY c.name, c.id");
                let found = tx.rows(&sql, &[me.into()]).await?;
                found.iter().map(company).collect()
            })
        })
        .await
    }

    pub async fn company(&self, who: &Principal, id: CompanyId) -> Result<Company, StoreError> {
        self.read(who, move |tx, me| Box::pin(seen(tx, me, id)))
            .await
    }

    /// All members, visible to members.
    pub async fn members(&self, who: &Principal, id: CompanyId) -> Result<Vec<Member>, StoreError> {
        self.read(who, move |tx, me| Box::pin(members(tx, me, id)))
            .await
    }

    /// Ends one's own membership, or anyone's but the owner's if one runs the company.
    pub async fn end_membership(
        &self,
        who: &Principal,
        company: CompanyId,
        member: ProfileId,
        now: DateTime<Utc>,
    ) -> Result<(), StoreError> {
        self.write(who, move |tx, me| {
            Box::pin(end_membership(tx, me, company, member, now))
        })
        .await
    }
}

const COMPANY: &str = "SELECT c.id, c.name, c.owner_id, c.created_at, m.role \
     FROM companies c JOIN company_members m ON m.company_id = c.id";

fn company(row: &Row) -> Result<Company, TxError> {
    Ok(Company {
        id: row.get("id")?,
        name: row.get("name")?,
        owner_id: row.get("owner_id")?,
        created_at: row.get("created_at")?,
        role: named(row, "role")?,
    })
}

/// The company, for one of its members.
pub(crate) async fn seen(tx: &mut Tx, me: ProfileId, id: CompanyId) -> Result<Company, TxError> {
    let sql = format!("{COMPANY} WHERE m.profile_id = $1 AND c.id = $2");
    let values: [Value; 2] = [me.into(), id.into()];
    match tx.row(&sql, &values).await? {
        Some(row) => company(&row),
        None => {
            let refusal = access::refusal(tx, Kind::Company, id.uuid()).await?;
            if matches!(refusal, TxError::Store(StoreError::Forbidden)) {
                return Err(StoreError::NotAMember.into());
            }
            Err(refusal)
        }
    }
}

/// The company, for those who run it.
pub(crate) async fn run_by(tx: &mut Tx, me: ProfileId, id: CompanyId) -> Result<Company, TxError> {
    let company = seen(tx, me, id).await?;
    match company.role {
        CompanyRole::Owner | CompanyRole::Admin => Ok(company),
        CompanyRole::Member => Err(StoreError::NotAnAdmin.into()),
    }
}

async fn found(tx: &mut Tx, me: ProfileId, new: CompanyDraft) -> Result<Company, TxError> {
    let now = micros(new.now);
    if let Some(made) = keys::made_before(tx, me, new.key.as_ref(), now).await? {
        return seen(tx, me, CompanyId::from_uuid(made)).await;
    }
    let (high, low) = me.uuid().as_u64_pair();
    access::lock_number(tx, (high ^ low).cast_signed()).await?;
    let owned = tx
        .row(
            "SELECT count(*) AS n FROM companies WHERE owner_id = $1",
            &[me.into()],
        )
        .await?
        .map_or(Ok(0), |row| row.get::<i64>("n"))?;
    if owned >= MAX_OWNED_COMPANIES {
        return Err(StoreError::Conflict(format!(
            "you own {owned} companies already, which is as many as one person may"
        ))
        .into());
    }
    let values: Vec<Value> = vec![new.id.into(), (&new.name).into(), now.into()];
    match tx.dialect() {
        Dialect::Postgres => {
            tx.execute_later("SELECT fd.found_company($1, $2, $3)", values)
                .await?;
        }
        Dialect::Sqlite => {
            let mut values = values;
            values.push(me.into());
            tx.execute(
                "INSERT INTO companies (id, name, created_at, owner_id) VALUES ($1, $2, $3, $4)",
                &values,
            )
            .await?;
            tx.execute(
                "INSERT INTO company_members (company_id, profile_id, role, joined_at) \
                 VALUES ($1, $2, 'owner', $3)",
                &[new.id.into(), me.into(), now.into()],
            )
            .await?;
        }
    }
    keys::remember(tx, me, new.key.as_ref(), new.id.uuid(), now).await?;
    note(tx, me, new.id, "found_company", &new.name, now).await?;
    people::publish_membership(tx, new.id, me, true)?;
    Ok(Company {
        id: new.id,
        name: new.name,
        owner_id: me,
        created_at: now,
        role: CompanyRole::Owner,
    })
}

async fn members(tx: &mut Tx, me: ProfileId, company: CompanyId) -> Result<Vec<Member>, TxError> {
    seen(tx, me, company).await?;
    let found = tx
        .rows(
            "SELECT m.profile_id, p.display_name, p.email, p.avatar_url, m.role, m.joined_at \
             FROM company_members m JOIN profiles p ON p.id = m.profile_id \
             WHERE m.company_id = $1 ORDER BY m.joined_at, m.profile_id",
            &[company.into()],
        )
        .await?;
    found
        .iter()
        .map(|row| {
            Ok(Member {
                profile_id: row.get("profile_id")?,
                display_name: row.get("display_name")?,
                email: row.get("email")?,
                avatar_url: row.get("avatar_url")?,
                role: named(row, "role")?,
                joined_at: row.get("joined_at")?,
            })
        })
        .collect()
}

async fn end_membership(
    tx: &mut Tx,
    me: ProfileId,
    company: CompanyId,
    member: ProfileId,
    now: DateTime<Utc>,
) -> Result<(), TxError> {
    let own = me == member;
    if own {
        seen(tx, me, company).await?;
    } else {
        run_by(tx, me, company).await?;
    }
    let values: [Value; 2] = [company.into(), member.into()];
    let sql = "SELECT m.role, p.display_name FROM company_members m \
         JOIN profiles p ON p.id = m.profile_id WHERE m.company_id = $1 AND m.profile_id = $2";
    let Some(row) = tx.row(sql, &values).await? else {
        return Err(StoreError::NotFound.into());
    };
    match named::<CompanyRole>(&row, "role")? {
        CompanyRole::Owner => {
            let problem = if own {
                "the owner of a company cannot leave it"
            } else {
                "the owner of a company cannot be removed from it"
            };
            return Err(StoreError::Conflict(problem.to_owned()).into());
        }
        CompanyRole::Admin | CompanyRole::Member => {}
    }
    // Before the row goes: afterwards this person may not be able to say so any more.
    let what = if own {
        "leave_company"
    } else {
        "remove_member"
    };
    let name: String = row.get("display_name")?;
    note(tx, me, company, what, &name, micros(now)).await?;
    people::publish_membership(tx, company, member, false)?;
    tx.execute(
        "DELETE FROM company_members WHERE company_id = $1 AND profile_id = $2 AND role <> 'owner'",
        &values,
    )
    .await?;
    Ok(())
}

/// Adds a change of a company to the audit, like every other change.
pub(crate) async fn note(
    tx: &mut Tx,
    me: ProfileId,
    company: CompanyId,
    what: &str,
    target: &str,
    now: DateTime<Utc>,
) -> Result<(), TxError> {
    let act = Act {
        me,
        scope: company.uuid(),
        conversation: None,
        what,
        target: Some(target),
        outcome: AuditOutcome::Executed,
    };
    audit::note_act(tx, act, now).await
}
