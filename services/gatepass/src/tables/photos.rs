//! The photos of each pass. `Photos` stores the pictures themselves.

use chrono::{DateTime, Utc};
use frontdesk_db::{DbError, Row, Tx};
use frontdesk_files::Format;
use strum::IntoStaticStr;
use uuid::Uuid;

/// The scan at which a photo was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "lowercase", const_into_str)]
pub(crate) enum ScanKind {
    Exit,
    Return,
}

#[derive(Clone, Debug)]
pub(crate) struct Photo {
    pub(crate) id: Uuid,
    pub(crate) pass_id: Uuid,
    pub(crate) moment: ScanKind,
    pub(crate) format: Format,
    pub(crate) captured_at: DateTime<Utc>,
    pub(crate) captured_by: String,
}

impl Photo {
    /// The storage key of the picture.
    pub(crate) fn key(&self) -> String {
        format!("{}.{}", self.id, self.format.extension())
    }

    fn read(row: &Row) -> Result<Photo, DbError> {
        let stored = |column: &str| DbError::BadValue {
            column: column.to_owned(),
            problem: "holds a value that this version does not know".to_owned(),
        };
        let (moment, media_type): (String, String) = (row.get("type")?, row.get("media_type")?);
        Ok(Photo {
            id: row.get("id")?,
            pass_id: row.get("pass_id")?,
            moment: if moment == "exit" {
                ScanKind::Exit
            } else {
                ScanKind::Return
            },
            format: Format::from_media_type(&media_type).ok_or_else(|| stored("media_type"))?,
            captured_at: row.get("captured_at")?,
            captured_by: row.get("captured_by")?,
        })
    }
}

pub(crate) async fn insert(
    tx: &mut Tx,
    photo: &Photo,
    size: i64,
    sha256: Vec<u8>,
) -> Result<(), DbError> {
    tx.execute_later(
        "INSERT INTO gatepass_photos (id, pass_id, type, media_type, size, sha256, captured_at, captured_by)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        vec![
            photo.id.into(),
            photo.pass_id.into(),
            photo.moment.into_str().into(),
            photo.format.media_type().into(),
            size.into(),
            sha256.into(),
            photo.captured_at.into(),
            (&photo.captured_by).into(),
        ],
    )
    .await
}

/// The photos of a pass, in chronological order.
pub(crate) async fn of(tx: &mut Tx, pass: Uuid) -> Result<Vec<Photo>, DbError> {
    let sql = "SELECT * FROM gatepass_photos WHERE pass_id = $1 ORDER BY captured_at, id";
    tx.rows(sql, &[pass.into()])
        .await?
        .iter()
        .map(Photo::read)
        .collect()
}

pub(crate) async fn find(tx: &mut Tx, id: Uuid) -> Result<Option<Photo>, DbError> {
    let row = tx
        .row("SELECT * FROM gatepass_photos WHERE id = $1", &[id.into()])
        .await?;
    row.as_ref().map(Photo::read).transpose()
}
