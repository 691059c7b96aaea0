//! Scans at the gate: a form with the pass number and a photo.

use axum::extract::{Request, State};
use axum::routing::{MethodRouter, post};
use bytes::Bytes;
use frontdesk_files::{Picture, UploadError, accept_picture};

use crate::auth::Caller;
use crate::changes::{self, Actor, PendingPhoto};
use crate::error::ApiError;
use crate::extractors::ScanForm;
use crate::idempotency::{self, IdempotentAnswer, run_once};
use crate::pass::PassNumber;
use crate::photo::{StoreError, rule, sentence};
use crate::service::GatePass;
use crate::tables::photos::ScanKind;
use crate::tables::requests::RequestKey;

pub(super) fn scan_route(kind: ScanKind) -> MethodRouter<GatePass> {
    post(
        move |State(service): State<GatePass>, caller: Caller, request: Request| {
            scan(service, caller, request, kind)
        },
    )
}

async fn scan(
    service: GatePass,
    caller: Caller,
    request: Request,
    kind: ScanKind,
) -> Result<IdempotentAnswer, ApiError> {
    let route = match kind {
        ScanKind::Exit => "scan_exit",
        ScanKind::Return => "scan_return",
    };
    let key = idempotency::key(request.headers(), &caller, route)?;
    let _place = service.uploads.clone().try_acquire_owned().map_err(|_| {
        ApiError::too_many(
            "Too many photos are being sent at this moment; please try again in a second.",
        )
    })?;
    let form = ScanForm::read(request, service.settings.max_file_size).await?;
    let fingerprint = form.fingerprint();
    let number = form.pass_number;
    let accepted = re_encode(&service, form.photo).await?;
    let scan = Scan {
        service,
        caller,
        kind,
        number,
        accepted,
    };
    // The picture and its row must be stored together even if the client disconnects.
    let kept = tokio::spawn(keep(scan, key, fingerprint));
    kept.await.map_err(ApiError::internal)?
}

struct Scan {
    service: GatePass,
    caller: Caller,
    kind: ScanKind,
    number: PassNumber,
    accepted: Picture,
}

/// Validates and re-encodes the picture on blocking threads, a few at a time.
async fn re_encode(service: &GatePass, bytes: Vec<u8>) -> Result<Picture, ApiError> {
    let _turn = service
        .decodes
        .clone()
        .acquire_owned()
        .await
        .map_err(ApiError::unavailable)?;
    let limit = service.settings.max_file_size;
    let taken = tokio::task::spawn_blocking(move || accept_picture(bytes, limit)).await;
    // A panic of the decoder counts as a refusal of the file.
    let taken = taken.unwrap_or(Err(UploadError::Damaged("the picture cannot be decoded")));
    taken.map_err(|refused| match refused {
        UploadError::TooLarge { .. } => ApiError::too_large(sentence(&refused)),
        UploadError::Unsupported => ApiError::unsupported_type(sentence(&refused)).with_details(
            serde_json::json!({"accepted": ["image/jpeg", "image/png", "image/heic"]}),
        ),
        UploadError::Empty
        | UploadError::TooManyPixels { .. }
        | UploadError::TooMuchMemory
        | UploadError::Damaged(_) => {
            ApiError::invalid_field("photo", rule(&refused), sentence(&refused))
        }
    })
}

/// Stores the picture, then its row with the change. Deletes the picture if the change
/// fails.
async fn keep(
    scan: Scan,
    key: Option<RequestKey>,
    fingerprint: Vec<u8>,
) -> Result<IdempotentAnswer, ApiError> {
    let Scan {
        service,
        caller,
        kind,
        number,
        accepted,
    } = scan;
    let actor = Actor {
        caller,
        now: service.now(),
    };
    let quota = i64::try_from(service.settings.photo_quota).unwrap_or(i64::MAX);
    let taken = PendingPhoto::new(&accepted, kind, &actor, quota);
    let file = taken.photo.key();
    service
        .photos
        .put(&file, Bytes::from(accepted.bytes))
        .await
        .map_err(store_error)?;
    let given = run_once(&service, key, fingerprint, move |tx| {
        Box::pin(async move { changes::scan(tx, number, taken, &actor).await })
    })
    .await;
    let entered = match &given {
        Ok(given) => given.is_fresh_success(),
        // With an unknown outcome, a superfluous picture is better than a missing one.
        Err(error) => error.code == "OUTCOME_UNKNOWN",
    };
    if !entered && let Err(error) = service.photos.delete(&file).await {
        tracing::warn!(photo.file = file, %error, "an unused photo could not be removed");
    }
    given
}

pub(super) fn store_error(error: StoreError) -> ApiError {
    match error.is_full() {
        true => ApiError::storage_full(error),
        false => ApiError::unavailable(error),
    }
}
