//! Stored passes. A status change is a compare-and-set on the previous status.

use chrono::{DateTime, Utc};
use frontdesk_db::{DbError, Row, Tx, Value};
use uuid::Uuid;

use crate::error::ApiError;
use crate::pass::{Effect, PassNumber, Status};

/// One row.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Pass {
    pub(crate) id: Uuid,
    pub(crate) number: PassNumber,
    pub(crate) year: i32,
    pub(crate) sequence: i64,
    pub(crate) person_name: String,
    pub(crate) description: String,
    pub(crate) is_returnable: bool,
    pub(crate) status: Status,
    pub(crate) created_at: DateTime<Utc>,
    pub(crate) created_by: String,
    pub(crate) approved_at: Option<DateTime<Utc>>,
    pub(crate) approved_by: Option<String>,
    pub(crate) exit_time: Option<DateTime<Utc>>,
    pub(crate) return_time: Option<DateTime<Utc>>,
    pub(crate) deleted_at: Option<DateTime<Utc>>,
    pub(crate) deleted_by: Option<String>,
}

/// A reference to a pass: by id or by number.
#[derive(Clone, Debug)]
pub(crate) enum PassRef {
    Id(Uuid),
    Number(PassNumber),
}

impl std::fmt::Display for PassRef {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            PassRef::Id(id) => id.fmt(f),
            PassRef::Number(number) => number.fmt(f),
        }
    }
}

impl Pass {
    pub(super) fn read(row: &Row) -> Result<Pass, DbError> {
        let stored = |column: &str| DbError::BadValue {
            column: column.to_owned(),
            problem: "holds a value that this version does not know".to_owned(),
        };
        let (number, status): (String, String) = (row.get("number")?, row.get("status")?);
        Ok(Pass {
            id: row.get("id")?,
            number: number.parse().map_err(|_| stored("number"))?,
            year: row.get("year")?,
            sequence: row.get("sequence")?,
            person_name: row.get("person_name")?,
            description: row.get("description")?,
            is_returnable: row.get("is_returnable")?,
            status: status.parse().map_err(|_| stored("status"))?,
            created_at: row.get("created_at")?,
            created_by: row.get("created_by")?,
            approved_at: row.get("approved_at")?,
            approved_by: row.get("approved_by")?,
            exit_time: row.get("exit_time")?,
            return_time: row.get("return_time")?,
            deleted_at: row.get("deleted_at")?,
            deleted_by: row.get("deleted_by")?,
        })
    }

    /// The pass after `effect` by `who` at `now`.
    pub(crate) fn after(&self, effect: Effect, who: &str, now: DateTime<Utc>) -> Pass {
        let mut pass = self.clone();
        match effect {
            Effect::LeavesAsIs => {}
            Effect::Deletes => {
                pass.deleted_at = Some(now);
                pass.deleted_by = Some(who.to_owned());
            }
            Effect::Becomes(status) => {
                pass.status = status;
                match status {
                    Status::Approved => {
                        pass.approved_at = Some(now);
                        pass.approved_by = Some(who.to_owned());
                    }
                    Status::Exited => pass.exit_time = Some(now),
                    Status::Returned => pass.return_time = Some(now),
                    Status::Pending | Status::Rejected => {}
                }
            }
        }
        pass
    }
}

/// Normalises text for searching; applied to stored text and to search words.
pub(crate) fn folded(text: &str) -> String {
    text.to_lowercase()
}

pub(crate) async fn insert(tx: &mut Tx, pass: &Pass) -> Result<(), DbError> {
    let everything = [&pass.person_name, &pass.description, pass.number.as_str()].join("\n");
    tx.execute_later(
        "INSERT INTO gatepass_passes (id, number, year, sequence, person_name, description, is_returnable, status,
             folded_name, folded, created_at, created_by, approved_at, approved_by, exit_time, return_time)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)",
        vec![
            pass.id.into(),
            pass.number.as_str().into(),
            pass.year.into(),
            pass.sequence.into(),
            (&pass.person_name).into(),
            (&pass.description).into(),
            pass.is_returnable.into(),
            pass.status.into_str().into(),
            folded(&pass.person_name).into(),
            folded(&everything).into(),
            pass.created_at.into(),
            (&pass.created_by).into(),
            pass.approved_at.into(),
            pass.approved_by.clone().into(),
            pass.exit_time.into(),
            pass.return_time.into(),
        ],
    )
    .await
}

/// Finds a pass that is not deleted.
pub(crate) async fn find(tx: &mut Tx, pass: &PassRef) -> Result<Option<Pass>, DbError> {
    let (sql, value): (&str, Value) = match pass {
        PassRef::Id(id) => (
            "SELECT * FROM gatepass_passes WHERE id = $1 AND deleted_at IS NULL",
            (*id).into(),
        ),
        PassRef::Number(number) => (
            "SELECT * FROM gatepass_passes WHERE number = $1 AND deleted_at IS NULL",
            number.as_str().into(),
        ),
    };
    tx.row(sql, &[value])
        .await?
        .as_ref()
        .map(Pass::read)
        .transpose()
}

/// The same, or an error for the caller.
pub(crate) async fn get(tx: &mut Tx, pass: &PassRef) -> Result<Pass, ApiError> {
    let found = find(tx, pass).await?;
    found.ok_or_else(|| ApiError::no_such_pass(pass))
}

/// Replaces `from` by `to` if the row is unchanged. Returns `false` after a concurrent
/// change.
pub(crate) async fn replace(tx: &mut Tx, from: &Pass, to: &Pass) -> Result<bool, DbError> {
    let changed = tx
        .execute(
            "UPDATE gatepass_passes
             SET status = $3, approved_at = $4, approved_by = $5, exit_time = $6, return_time = $7,
                 deleted_at = $8, deleted_by = $9
             WHERE id = $1 AND status = $2 AND deleted_at IS NULL",
            &[
                from.id.into(),
                from.status.into_str().into(),
                to.status.into_str().into(),
                to.approved_at.into(),
                to.approved_by.clone().into(),
                to.exit_time.into(),
                to.return_time.into(),
                to.deleted_at.into(),
                to.deleted_by.clone().into(),
            ],
        )
        .await?;
    Ok(changed == 1)
}
