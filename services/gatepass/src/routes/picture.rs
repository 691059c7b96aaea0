//! Pictures: the QR code of a pass and the photos taken at the gate.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use frontdesk_files::Format;
use serde_json::{Value, json};
use uuid::Uuid;

use super::gate::store_error;
use crate::error::ApiError;
use crate::extractors::Segment;
use crate::fields::pass_number;
use crate::qr::{Qr, target};
use crate::service::GatePass;
use crate::tables::passes::{self, PassRef};
use crate::tables::photos;
use crate::views;

/// The browser's treatment of a file.
pub(super) enum Disposition {
    Inline,
    Download,
}

pub(super) async fn qr(
    State(service): State<GatePass>,
    Segment(number): Segment,
) -> Result<Response, ApiError> {
    let number = pass_number("pass_number", &number)?;
    let wanted = PassRef::Number(number.clone());
    service
        .read(move |tx| Box::pin(async move { passes::get(tx, &wanted).await }))
        .await?;
    let code =
        Qr::of(&target(&service.settings.public_url, &number)).map_err(ApiError::internal)?;
    let png = code.png().map_err(ApiError::internal)?;
    file(
        png.into(),
        "image/png",
        &format!("{number}-qr.png"),
        Disposition::Inline,
    )
}

pub(super) async fn of_pass(
    State(service): State<GatePass>,
    Segment(number): Segment,
) -> Result<Json<Value>, ApiError> {
    let wanted = PassRef::Number(pass_number("pass_number", &number)?);
    service
        .read(move |tx| {
            Box::pin(async move {
                let pass = passes::get(tx, &wanted).await?;
                let photos = photos::of(tx, pass.id).await?;
                Ok(Json(json!({
                    "pass_number": pass.number.as_str(),
                    "photos": photos.iter().map(|photo| views::photo(&pass, photo)).collect::<Vec<_>>(),
                    "total": photos.len(),
                })))
            })
        })
        .await
}

pub(super) async fn photo(
    State(service): State<GatePass>,
    Segment(id): Segment,
) -> Result<Response, ApiError> {
    let id: Uuid = id.parse().map_err(|_| {
        ApiError::invalid_field("photo_id", "uuid", "photo_id must be the id of a photo.")
    })?;
    let missing = || ApiError::not_found("There is no such photo.");
    let (photo, pass) = service
        .read(move |tx| {
            Box::pin(async move {
                let photo = photos::find(tx, id).await?.ok_or_else(missing)?;
                // Photos of a deleted pass are hidden.
                let pass = passes::find(tx, &PassRef::Id(photo.pass_id))
                    .await?
                    .ok_or_else(missing)?;
                Ok((photo, pass))
            })
        })
        .await?;
    let bytes = service
        .photos
        .get(&photo.key())
        .await
        .map_err(store_error)?
        .ok_or_else(|| {
            ApiError::unavailable(format!(
                "the file of photo {id} is missing from the photo store"
            ))
        })?;
    let name = format!(
        "{}-{}.{}",
        pass.number,
        photo.moment.into_str(),
        photo.format.extension()
    );
    // HEIC is never decoded here, and most browsers cannot show it.
    let shown = match photo.format {
        Format::Jpeg | Format::Png => Disposition::Inline,
        Format::Heic => Disposition::Download,
    };
    file(bytes, photo.format.media_type(), &name, shown)
}

/// A file response with a generated name.
pub(super) fn file(
    bytes: Bytes,
    media_type: &'static str,
    name: &str,
    shown: Disposition,
) -> Result<Response, ApiError> {
    let how = match shown {
        Disposition::Inline => "inline",
        Disposition::Download => "attachment",
    };
    let disposition =
        HeaderValue::try_from(format!("{how}; filename=\"{name}\"")).map_err(ApiError::internal)?;
    Ok((
        [
            (header::CONTENT_TYPE, HeaderValue::from_static(media_type)),
            (header::CONTENT_DISPOSITION, disposition),
        ],
        bytes,
    )
        .into_response())
}
