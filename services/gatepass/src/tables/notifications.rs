//! Notifications of roles about passes. Written in the transaction of the change.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, Utc};
use frontdesk_db::{DbError, Row, Tx, Value};
use strum::IntoStaticStr;
use uuid::Uuid;

use super::passes::Pass;
use crate::auth::Role;

/// The event of a notification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "snake_case", prefix = "pass_", const_into_str)]
pub(crate) enum Kind {
    Created,
    Approved,
    Rejected,
    Deleted,
    Exited,
    Returned,
}

/// The receiving role. Guards get none: they see passes at the gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "lowercase", const_into_str)]
pub(crate) enum Audience {
    Admin,
    Hr,
}

pub(crate) struct Notification {
    pub(crate) id: Uuid,
    pub(crate) audience: Audience,
    pub(crate) kind: String,
    pub(crate) message: String,
    pub(crate) pass_id: Uuid,
    pub(crate) is_read: bool,
    pub(crate) created_at: DateTime<Utc>,
}

pub(crate) struct Inbox {
    pub(crate) items: Vec<Notification>,
    pub(crate) next: Option<Uuid>,
    pub(crate) unread: i64,
}

impl Kind {
    /// A new request waits for an admin; later events concern the office that asked for the
    /// pass.
    fn audience(self) -> Audience {
        match self {
            Kind::Created => Audience::Admin,
            Kind::Approved | Kind::Rejected | Kind::Deleted | Kind::Exited | Kind::Returned => {
                Audience::Hr
            }
        }
    }

    fn message(self, pass: &Pass, who: &str) -> String {
        let (number, person) = (&pass.number, &pass.person_name);
        match self {
            Kind::Created => format!("{who} asks for gate pass {number} for {person}."),
            Kind::Approved => format!("{who} approved gate pass {number} for {person}."),
            Kind::Rejected => format!("{who} rejected gate pass {number} for {person}."),
            Kind::Deleted => format!("{who} deleted gate pass {number} for {person}."),
            Kind::Exited => format!("{person} left the site on gate pass {number}."),
            Kind::Returned => format!("{person} came back on gate pass {number}."),
        }
    }
}

impl Audience {
    pub(crate) fn role(self) -> Role {
        match self {
            Audience::Admin => Role::Admin,
            Audience::Hr => Role::Hr,
        }
    }
}

impl Notification {
    fn read(row: &Row) -> Result<Notification, DbError> {
        let audience: String = row.get("audience")?;
        Ok(Notification {
            id: row.get("id")?,
            audience: if audience == "admin" {
                Audience::Admin
            } else {
                Audience::Hr
            },
            kind: row.get("type")?,
            message: row.get("message")?,
            pass_id: row.get("pass_id")?,
            is_read: row.get("is_read")?,
            created_at: row.get("created_at")?,
        })
    }
}

/// Notifies the role concerned. `id` orders notifications, so it must ascend.
pub(crate) async fn tell(
    tx: &mut Tx,
    id: Uuid,
    kind: Kind,
    pass: &Pass,
    who: &str,
    at: DateTime<Utc>,
) -> Result<(), DbError> {
    tx.execute_later(
        "INSERT INTO gatepass_notifications (id, audience, type, message, pass_id, is_read, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
        vec![
            id.into(),
            kind.audience().into_str().into(),
            kind.into_str().into(),
            kind.message(pass, who).into(),
            pass.id.into(),
            false.into(),
            at.into(),
        ],
    )
    .await
}

/// A page of a role's notifications, newest first.
pub(crate) async fn inbox(
    tx: &mut Tx,
    audience: Audience,
    before: Option<Uuid>,
    limit: i64,
) -> Result<Inbox, DbError> {
    let behind = if before.is_some() { "AND id < $3" } else { "" };
    let sql = format!(
        "SELECT * FROM gatepass_notifications WHERE audience = $1 {behind} ORDER BY id DESC LIMIT $2"
    );
    let mut values: Vec<Value> = vec![audience.into_str().into(), (limit + 1).into()];
    values.extend(before.map(Value::from));
    let rows = tx.rows(&sql, &values).await?;
    let mut items = rows
        .iter()
        .map(Notification::read)
        .collect::<Result<Vec<_>, _>>()?;
    let limit = usize::try_from(limit).unwrap_or(0);
    let more = items.len() > limit;
    items.truncate(limit);
    let next = items.last().map(|item| item.id).filter(|_| more);
    let unread = tx
        .row(
            "SELECT count(*) AS unread FROM gatepass_notifications WHERE audience = $1 AND is_read = $2",
            &[audience.into_str().into(), false.into()],
        )
        .await?;
    let unread = unread.map_or(Ok(0), |row| row.get("unread"))?;
    Ok(Inbox {
        items,
        next,
        unread,
    })
}

pub(crate) async fn find(tx: &mut Tx, id: Uuid) -> Result<Option<Notification>, DbError> {
    let row = tx
        .row(
            "SELECT * FROM gatepass_notifications WHERE id = $1",
            &[id.into()],
        )
        .await?;
    row.as_ref().map(Notification::read).transpose()
}

/// Idempotent.
pub(crate) async fn mark_read(tx: &mut Tx, id: Uuid) -> Result<(), DbError> {
    tx.execute(
        "UPDATE gatepass_notifications SET is_read = $2 WHERE id = $1",
        &[id.into(), true.into()],
    )
    .await?;
    Ok(())
}

pub(crate) fn encode_cursor(id: Uuid) -> String {
    URL_SAFE_NO_PAD.encode(format!("n1.{id}"))
}

pub(crate) fn decode_cursor(text: &str) -> Option<Uuid> {
    let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
    String::from_utf8(bytes)
        .ok()?
        .strip_prefix("n1.")?
        .parse()
        .ok()
}
