//! Invitations: made by those who run a company, answered once, in time, and only by whom
//! they are addressed to.

use chrono::{DateTime, Utc};
use frontdesk_core::access::Principal;
use frontdesk_core::change_notice::ChangeNotice;
use frontdesk_core::id::{CompanyId, InvitationId};
use frontdesk_core::store::{
    Invitation, InvitationAnswer, InvitationKey, InvitationStatus, MAX_OPEN_INVITATIONS,
    NewInvitation, StoreError,
};
use frontdesk_db::{Dialect, Row, Tx, Value};

use crate::access::{self, Kind};
use crate::companies::{note, run_by};
use crate::rows::{micros, name_of, named};
use crate::tx_error::TxError;
use crate::{Store, change_feed, keys, people};

impl Store {
    /// Invites an address and replaces its open invitation.
    pub async fn invite(
        &self,
        who: &Principal,
        new: NewInvitation,
    ) -> Result<Invitation, StoreError> {
        let me = who.clone();
        self.write(who, move |tx, _| Box::pin(invite(tx, me, new)))
            .await
    }

    /// All invitations of a company, newest first. Only for those who run it, because the invited
    /// people have not agreed to anything yet.
    pub async fn invitations(
        &self,
        who: &Principal,
        company: CompanyId,
        now: DateTime<Utc>,
    ) -> Result<Vec<Invitation>, StoreError> {
        self.read(who, move |tx, me| {
            Box::pin(async move {
                run_by(tx, me, company).await?;
                let sql = format!(
                    "{INVITATION} WHERE i.company_id = $1 ORDER BY i.created_at DESC, i.id DESC"
                );
                let found = tx.rows(&sql, &[company.into()]).await?;
                found.iter().map(|row| invitation(row, now)).collect()
            })
        })
        .await
    }

    /// Invitations that this person can answer.
    pub async fn received(
        &self,
        who: &Principal,
        now: DateTime<Utc>,
    ) -> Result<Vec<Invitation>, StoreError> {
        let me = who.clone();
        self.read(who, move |tx, _| Box::pin(received(tx, me, now)))
            .await
    }

    /// Joins the company or declines. Only for the invited person, and only once.
    pub async fn answer(
        &self,
        who: &Principal,
        which: InvitationKey,
        answer: InvitationAnswer,
        now: DateTime<Utc>,
    ) -> Result<Invitation, StoreError> {
        let me = who.clone();
        self.write(who, move |tx, _| {
            Box::pin(answer_it(tx, me, which, answer, micros(now)))
        })
        .await
    }

    /// Deletes an invitation.
    pub async fn revoke(
        &self,
        who: &Principal,
        company: CompanyId,
        id: InvitationId,
        now: DateTime<Utc>,
    ) -> Result<(), StoreError> {
        self.write(who, move |tx, me| {
            Box::pin(async move {
                run_by(tx, me, company).await?;
                let gone = tx
                    .row(
                        "DELETE FROM invitations WHERE id = $1 AND company_id = $2 \
                             AND status = 'pending' RETURNING email",
                        &[id.into(), company.into()],
                    )
                    .await?
                    .ok_or(StoreError::NotFound)?;
                let email: String = gone.get("email")?;
                let what = "revoke_invitation";
                note(tx, me, company, what, &email, micros(now)).await
            })
        })
        .await
    }
}

/// An invited person has no access to the company yet, so the invitation contains its name.
const INVITATION: &str = "SELECT i.id, i.company_id, i.company_name, i.email, i.role, \
     i.invited_by, i.status, i.created_at, i.expires_at FROM invitations i";

fn invitation(row: &Row, now: DateTime<Utc>) -> Result<Invitation, TxError> {
    let status: InvitationStatus = named(row, "status")?;
    let expires_at = row.get("expires_at")?;
    Ok(Invitation {
        id: row.get("id")?,
        company_id: row.get("company_id")?,
        company_name: row.get("company_name")?,
        email: row.get("email")?,
        role: named(row, "role")?,
        invited_by: row.get("invited_by")?,
        status: if status == InvitationStatus::Pending && expires_at <= now {
            InvitationStatus::Expired
        } else {
            status
        },
        created_at: row.get("created_at")?,
        expires_at,
    })
}

async fn invite(tx: &mut Tx, who: Principal, new: NewInvitation) -> Result<Invitation, TxError> {
    let me = who.profile();
    let now = micros(new.now);
    let company = run_by(tx, me, new.company).await?;
    if let Some(made) = keys::made_before(tx, me, new.key.as_ref(), now).await? {
        let sql = format!("{INVITATION} WHERE i.id = $1 AND i.company_id = $2");
        let values = [made.into(), new.company.into()];
        let found = tx.row(&sql, &values).await?.ok_or(StoreError::NotFound)?;
        return invitation(&found, now);
    }
    let member = tx
        .row(
            "SELECT m.profile_id FROM company_members m JOIN profiles p ON p.id = m.profile_id \
             WHERE m.company_id = $1 AND lower(p.email) = $2 LIMIT 1",
            &[new.company.into(), (&new.email).into()],
        )
        .await?;
    if member.is_some() {
        return Err(StoreError::Conflict(format!(
            "{} is a member of {} already",
            new.email, company.name
        ))
        .into());
    }
    tx.execute(
        "DELETE FROM invitations WHERE company_id = $1 AND status = 'pending' \
             AND (email = $2 OR expires_at <= $3)",
        &[new.company.into(), (&new.email).into(), now.into()],
    )
    .await?;
    let open = tx
        .row(
            "SELECT count(*) AS n FROM invitations WHERE company_id = $1 AND status = 'pending'",
            &[new.company.into()],
        )
        .await?
        .map_or(Ok(0), |row| row.get::<i64>("n"))?;
    if open >= MAX_OPEN_INVITATIONS {
        return Err(StoreError::Conflict(format!(
            "{open} invitations wait for an answer, which is as many as may; take some back first"
        ))
        .into());
    }
    let made = Invitation {
        id: new.id,
        company_id: new.company,
        company_name: company.name,
        email: new.email,
        role: new.role,
        invited_by: me,
        status: InvitationStatus::Pending,
        created_at: now,
        expires_at: micros(new.expires_at),
    };
    insert(tx, &made, new.token_hash).await?;
    keys::remember(tx, me, new.key.as_ref(), made.id.uuid(), now).await?;
    note(tx, me, new.company, "invite_member", &made.email, now).await?;
    let told = ChangeNotice::Invitation {
        email: made.email.clone(),
        company: made.company_id,
    };
    change_feed::publish(tx, &told)?;
    Ok(made)
}

async fn insert(tx: &mut Tx, made: &Invitation, token_hash: String) -> Result<(), TxError> {
    tx.execute(
        "INSERT INTO invitations (id, company_id, company_name, email, role, invited_by, status, \
             created_at, expires_at, token_hash) \
         VALUES ($1, $2, $3, $4, $5, $6, 'pending', $7, $8, $9)",
        &[
            made.id.into(),
            made.company_id.into(),
            (&made.company_name).into(),
            (&made.email).into(),
            name_of(&made.role)?.into(),
            made.invited_by.into(),
            made.created_at.into(),
            made.expires_at.into(),
            token_hash.into(),
        ],
    )
    .await?;
    Ok(())
}

/// The address that the issuer vouches for, as invitations are kept.
fn address(who: &Principal) -> Option<String> {
    who.email().map(str::to_lowercase)
}

async fn received(
    tx: &mut Tx,
    who: Principal,
    now: DateTime<Utc>,
) -> Result<Vec<Invitation>, TxError> {
    let Some(email) = address(&who) else {
        return Ok(Vec::new());
    };
    access::act_with_roles(tx, &who).await?;
    let sql = format!(
        "{INVITATION} WHERE i.email = $1 AND i.status = 'pending' AND i.expires_at > $2 \
         ORDER BY i.created_at DESC, i.id DESC"
    );
    let found = tx.rows(&sql, &[email.into(), now.into()]).await?;
    found.iter().map(|row| invitation(row, now)).collect()
}

async fn answer_it(
    tx: &mut Tx,
    who: Principal,
    which: InvitationKey,
    answer: InvitationAnswer,
    now: DateTime<Utc>,
) -> Result<Invitation, TxError> {
    access::act_with_roles(tx, &who).await?;
    let mut invitation = addressed(tx, &who, which, now).await?;
    match invitation.status {
        InvitationStatus::Pending => {}
        InvitationStatus::Expired => {
            return Err(StoreError::Conflict(
                "this invitation has expired; ask for a new one".to_owned(),
            )
            .into());
        }
        InvitationStatus::Accepted | InvitationStatus::Declined => return Err(answered()),
    }
    keep_answer(tx, &who, &invitation, answer, now).await?;
    invitation.status = answer.status();
    let what = match answer {
        InvitationAnswer::Accept => "accept_invitation",
        InvitationAnswer::Decline => "decline_invitation",
    };
    let (me, email) = (who.profile(), &invitation.email);
    note(tx, me, invitation.company_id, what, email, now).await?;
    if answer == InvitationAnswer::Accept {
        people::publish_membership(tx, invitation.company_id, who.profile(), true)?;
    }
    Ok(invitation)
}

fn answered() -> TxError {
    StoreError::Conflict("this invitation has been answered already".to_owned()).into()
}

/// The invitation, if it is addressed to this person. A token that fits none says no more
/// than that.
async fn addressed(
    tx: &mut Tx,
    who: &Principal,
    which: InvitationKey,
    now: DateTime<Utc>,
) -> Result<Invitation, TxError> {
    let email: Value = address(who).into();
    let (condition, value): (&str, Value) = match &which {
        InvitationKey::Id(id) => ("i.id = $2", (*id).into()),
        InvitationKey::TokenHash(hash) => ("i.token_hash = $2", hash.into()),
    };
    let sql = format!("{INVITATION} WHERE i.email = $1 AND {condition}");
    if let Some(row) = tx.row(&sql, &[email, value]).await? {
        return invitation(&row, now);
    }
    match which {
        InvitationKey::Id(id) => Err(access::refusal(tx, Kind::Invitation, id.uuid()).await?),
        InvitationKey::TokenHash(_) => Err(StoreError::NotFound.into()),
    }
}

async fn keep_answer(
    tx: &mut Tx,
    who: &Principal,
    invitation: &Invitation,
    answer: InvitationAnswer,
    now: DateTime<Utc>,
) -> Result<(), TxError> {
    let values: [Value; 3] = [
        invitation.id.into(),
        name_of(&answer.status())?.into(),
        now.into(),
    ];
    match tx.dialect() {
        Dialect::Postgres => {
            let sql = "SELECT fd.answer_invitation($1, $2, $3) AS kept";
            let row = tx.row(sql, &values).await?;
            if row.map_or(Ok(false), |row| row.get::<bool>("kept"))? {
                return Ok(());
            }
            Err(answered())
        }
        Dialect::Sqlite => {
            tx.execute(
                "UPDATE invitations SET status = $2, answered_at = $3 WHERE id = $1",
                &values,
            )
            .await?;
            if answer == InvitationAnswer::Accept {
                tx.execute(
                    "INSERT INTO company_members (company_id, profile_id, role, joined_at) \
                     VALUES ($1, $2, $3, $4) ON CONFLICT (company_id, profile_id) DO NOTHING",
                    &[
                        invitation.company_id.into(),
                        who.profile().into(),
                        name_of(&invitation.role)?.into(),
                        now.into(),
                    ],
                )
                .await?;
            }
            Ok(())
        }
    }
}
