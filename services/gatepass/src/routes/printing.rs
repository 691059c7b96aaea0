//! The pass as PDF: formats its data for the sheet, in the site's time zone.

use axum::extract::State;
use axum::response::Response;
use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use frontdesk_files::for_print;

use super::gate::store_error;
use super::picture::{Disposition, file};
use crate::error::ApiError;
use crate::extractors::Segment;
use crate::fields::pass_number;
use crate::pass::{Action, Status, decide};
use crate::print::{Fact, PhotoSlot, Sheet, print as set};
use crate::qr::{Qr, target};
use crate::service::GatePass;
use crate::tables::history::{self, Change};
use crate::tables::passes::{self, Pass, PassRef};
use crate::tables::photos::{self, Photo, ScanKind};
use frontdesk_print::Pdf;

struct Record {
    pass: Pass,
    history: Vec<Change>,
    photos: Vec<(Photo, Option<Vec<u8>>)>,
}

pub(super) async fn print(
    State(service): State<GatePass>,
    Segment(number): Segment,
) -> Result<Response, ApiError> {
    let number = pass_number("pass_number", &number)?;
    let record = load(&service, PassRef::Number(number.clone())).await?;
    let _turn = service
        .decodes
        .clone()
        .acquire_owned()
        .await
        .map_err(ApiError::unavailable)?;
    let setter = service.clone();
    let pdf = tokio::task::spawn_blocking(move || sheet(&setter, &record))
        .await
        .map_err(ApiError::internal)?
        .map_err(ApiError::internal)?;
    if !pdf.missing.is_empty() {
        // `doctor` says which fonts to install. The letters are part of a name, so they are
        // not logged.
        tracing::warn!(
            print.missing_letters = pdf.missing.len(),
            "a printed pass has letters without a font"
        );
    }
    file(
        pdf.bytes.into(),
        "application/pdf",
        &format!("{number}.pdf"),
        Disposition::Inline,
    )
}

async fn load(service: &GatePass, wanted: PassRef) -> Result<Record, ApiError> {
    let (pass, history, photos) = service
        .read(move |tx| {
            Box::pin(async move {
                let pass = passes::get(tx, &wanted).await?;
                if decide(pass.status, pass.is_returnable, Action::Print).is_none() {
                    return Err(ApiError::illegal(
                        &pass.number,
                        pass.status,
                        pass.is_returnable,
                        Action::Print,
                    ));
                }
                let history = history::of(tx, &[pass.id]).await?;
                let photos = photos::of(tx, pass.id).await?;
                Ok((pass, history, photos))
            })
        })
        .await?;
    let mut pictures = Vec::new();
    for photo in photos {
        let bytes = service
            .photos
            .get(&photo.key())
            .await
            .map_err(store_error)?;
        pictures.push((photo, bytes.map(Vec::from)));
    }
    Ok(Record {
        pass,
        history,
        photos: pictures,
    })
}

fn sheet(
    service: &GatePass,
    record: &Record,
) -> Result<Pdf, Box<dyn std::error::Error + Send + Sync>> {
    let settings = &service.settings;
    let zone = settings.time_zone;
    let pass = &record.pass;
    let link = target(&settings.public_url, &pass.number);
    let now = service.now().with_timezone(&zone);
    let sheet = Sheet {
        site_name: &settings.site_name,
        number: pass.number.as_str(),
        person_name: &pass.person_name,
        description: &pass.description,
        status: pass.status,
        is_returnable: pass.is_returnable,
        facts: facts(record, zone),
        qr: &Qr::of(&link)?,
        photos: [ScanKind::Exit, ScanKind::Return]
            .map(|moment| picture(record, moment, zone))
            .into(),
        note: format!(
            "Printed {} · All times are {zone} (UTC{})",
            now.format("%d %b %Y, %H:%M"),
            now.format("%:z")
        ),
        link: &link,
    };
    Ok(set(&service.fonts, sheet)?)
}

fn facts(record: &Record, zone: Tz) -> Vec<Fact> {
    let pass = &record.pass;
    let step = |label: &'static str, status: Status| {
        let change = record
            .history
            .iter()
            .find(|change| change.status == status.into_str());
        Fact {
            label,
            value: change.map(|change| local(change.changed_at, zone)),
            by: change.map(|change| format!("by {}", change.changed_by)),
        }
    };
    let decision = match pass.status {
        Status::Rejected => step("REJECTED", Status::Rejected),
        Status::Pending | Status::Approved | Status::Exited | Status::Returned => {
            step("APPROVED", Status::Approved)
        }
    };
    let mut back = step("CAME BACK", Status::Returned);
    if !pass.is_returnable {
        back.value = Some("Not expected".to_owned());
    }
    vec![
        step("CREATED", Status::Pending),
        decision,
        step("LEFT THE SITE", Status::Exited),
        back,
    ]
}

fn picture(record: &Record, moment: ScanKind, zone: Tz) -> PhotoSlot {
    let (name, nothing) = match moment {
        ScanKind::Exit => ("EXIT PHOTO", "No exit photo"),
        ScanKind::Return => ("RETURN PHOTO", "No return photo"),
    };
    let Some((photo, bytes)) = record
        .photos
        .iter()
        .find(|(photo, _)| photo.moment == moment)
    else {
        let expected = record.pass.is_returnable || moment == ScanKind::Exit;
        return PhotoSlot {
            label: name.to_owned(),
            jpeg: None,
            instead: if expected {
                nothing
            } else {
                "Not expected back"
            },
        };
    };
    PhotoSlot {
        label: format!("{name} · {}", local(photo.captured_at, zone)),
        jpeg: bytes
            .as_ref()
            .and_then(|bytes| for_print(photo.format, bytes)),
        instead: "The photo is kept as HEIC and is not printed",
    }
}

fn local(at: DateTime<Utc>, zone: Tz) -> String {
    at.with_timezone(&zone)
        .format("%d %b %Y, %H:%M")
        .to_string()
}
