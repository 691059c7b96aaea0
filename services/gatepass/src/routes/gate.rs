//! Scans at the gate: a form with the pass number and a photo.

use axum::extract::{Request, State};
use axum::routing::{MethodRouter, post};
use bytes::Bytes;
use frontdesk_files::{Picture, UploadError, accept_picture};

use crate::auth::Caller;
use crate::changes::{self, Actor, PendingPhoto};
use crate::error::ApiError;
use crate::extractors::ScanForm;
use crate::idempotency::{self, Answer, run_once};
use crate::photo::{StoreError, rule, sentence};
use crate::service::GatePass;
use crate::tables::photos::ScanKind;

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
) -> Result<Answer, ApiError> {
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
    let actor = Actor {
        caller,
        now: service.now(),
    };
    let quota = i64::try_from(service.settings.photo_quota).unwrap_or(i64::MAX);
    let taken = PendingPhoto::new(&accepted, kind, &actor, quota);
    // The picture and its row must be stored together even if the client disconnects.
    let kept = tokio::spawn(async move {
        let (file, bytes) = (taken.photo.key(), Bytes::from(accepted.bytes));
        let stored = service.photos.put(&file, bytes).await;
        stored.map_err(store_error)?;
        let given = run_once(&service, key, fingerprint, move |tx| {
            Box::pin(async move { changes::scan(tx, number, taken, &actor).await })
        });
        delete_unless_kept(&service, &file, given.await).await
    });
    kept.await.map_err(ApiError::internal)?
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

/// Deletes the picture if the change failed.
async fn delete_unless_kept(
    service: &GatePass,
    file: &str,
    given: Result<Answer, ApiError>,
) -> Result<Answer, ApiError> {
    let entered = match &given {
        Ok(given) => given.is_fresh_success(),
        // With an unknown outcome, a superfluous picture is better than a missing one.
        Err(error) => error.code == "OUTCOME_UNKNOWN",
    };
    if !entered && let Err(error) = service.photos.delete(file).await {
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
