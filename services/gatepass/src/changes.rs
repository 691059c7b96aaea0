//! Changes of a pass: creation, decision, deletion, scan. Each runs inside one transaction.

use chrono::{DateTime, Datelike, Utc};
use chrono_tz::Tz;
use frontdesk_db::Tx;
use frontdesk_files::Picture;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::auth::Caller;
use crate::error::ApiError;
use crate::idempotency::Answer;
use crate::pass::{Action, Effect, PassNumber, Status, decide};
use crate::tables::notifications::Kind;
use crate::tables::passes::{Pass, PassRef};
use crate::tables::photos::{Photo, ScanKind};
use crate::tables::{counters, history, notifications, passes, photos};
use crate::views;

/// Attempts of a change that conflicts with concurrent changes. A pass has at most four
/// state transitions, so more conflicts are impossible.
const MAX_TRIES: usize = 6;

/// HR's request for a pass.
#[derive(Clone, Debug)]
pub(crate) struct NewPass {
    pub(crate) person_name: String,
    pub(crate) description: String,
    pub(crate) is_returnable: bool,
}

/// The user who makes a change, and the time.
#[derive(Clone, Debug)]
pub(crate) struct Actor {
    pub(crate) caller: Caller,
    pub(crate) now: DateTime<Utc>,
}

/// An accepted photo, to be stored with its scan.
pub(crate) struct PendingPhoto {
    pub(crate) photo: Photo,
    size: i64,
    sha256: Vec<u8>,
    quota: i64,
}

impl PendingPhoto {
    pub(crate) fn new(
        accepted: &Picture,
        moment: ScanKind,
        actor: &Actor,
        quota: i64,
    ) -> PendingPhoto {
        let photo = Photo {
            id: Uuid::now_v7(),
            // Set when the pass is loaded.
            pass_id: Uuid::nil(),
            moment,
            format: accepted.format,
            captured_at: actor.now,
            captured_by: actor.caller.name.clone(),
        };
        let size = i64::try_from(accepted.bytes.len()).unwrap_or(i64::MAX);
        PendingPhoto {
            photo,
            size,
            sha256: Sha256::digest(&accepted.bytes).to_vec(),
            quota,
        }
    }
}

/// Creates a pass with the next number of its year.
pub(crate) async fn create(
    tx: &mut Tx,
    new: NewPass,
    zone: Tz,
    actor: &Actor,
) -> Result<Answer, ApiError> {
    let year = actor.now.with_timezone(&zone).year();
    let sequence = counters::add(tx, &counters::numbers_of(year), 1).await?;
    let number = PassNumber::of(year, sequence)
        .ok_or_else(|| ApiError::unavailable(format!("all pass numbers of {year} are used up")))?;
    let pass = Pass {
        id: Uuid::now_v7(),
        number,
        year,
        sequence,
        person_name: new.person_name,
        description: new.description,
        is_returnable: new.is_returnable,
        status: Status::Pending,
        created_at: actor.now,
        created_by: actor.caller.name.clone(),
        approved_at: None,
        approved_by: None,
        exit_time: None,
        return_time: None,
        deleted_at: None,
        deleted_by: None,
    };
    passes::insert(tx, &pass).await?;
    record(tx, &pass, Kind::Created, actor).await?;
    let first = history::Change {
        pass_id: pass.id,
        status: pass.status.into_str().to_owned(),
        changed_at: actor.now,
        changed_by: actor.caller.name.clone(),
    };
    Ok(Answer::created(views::detail(&pass, &[first], &[])))
}

/// Approves, rejects or deletes.
pub(crate) async fn decide_on(
    tx: &mut Tx,
    number: PassNumber,
    action: Action,
    actor: &Actor,
) -> Result<Answer, ApiError> {
    let changed = match change(tx, number, action, actor).await? {
        Ok(pass) => pass,
        Err(refused) => return Ok(Answer::refused(&refused)),
    };
    if changed.deleted_at.is_some() {
        return Ok(Answer::ok(views::deleted(&changed)));
    }
    Ok(Answer::ok(detail(tx, &changed).await?))
}

/// Records an exit or a return with its photo.
pub(crate) async fn scan(
    tx: &mut Tx,
    number: PassNumber,
    mut taken: PendingPhoto,
    actor: &Actor,
) -> Result<Answer, ApiError> {
    let action = match taken.photo.moment {
        ScanKind::Exit => Action::ScanExit,
        ScanKind::Return => Action::ScanReturn,
    };
    let changed = match change(tx, number, action, actor).await? {
        Ok(pass) => pass,
        Err(refused) => return Ok(Answer::refused(&refused)),
    };
    let kept = counters::add(tx, counters::PHOTO_BYTES, taken.size).await?;
    if kept > taken.quota {
        return Err(ApiError::storage_full(
            "the photo quota is used up; raise photo_quota or remove old photos",
        ));
    }
    taken.photo.pass_id = changed.id;
    photos::insert(tx, &taken.photo, taken.size, taken.sha256).await?;
    Ok(Answer::created(detail(tx, &changed).await?))
}

/// A pass with history and photos.
pub(crate) async fn detail(tx: &mut Tx, pass: &Pass) -> Result<serde_json::Value, ApiError> {
    let history = history::of(tx, &[pass.id]).await?;
    let photos = photos::of(tx, pass.id).await?;
    Ok(views::detail(pass, &history, &photos))
}

/// Applies an action to a pass: the state machine decides, and compare-and-set writes.
/// Fails if the action is not allowed.
async fn change(
    tx: &mut Tx,
    number: PassNumber,
    action: Action,
    actor: &Actor,
) -> Result<Result<Pass, ApiError>, ApiError> {
    let wanted = PassRef::Number(number);
    for _ in 0..MAX_TRIES {
        let found = passes::get(tx, &wanted).await?;
        let Some(effect) = decide(found.status, found.is_returnable, action) else {
            return Ok(Err(ApiError::illegal(
                &found.number,
                found.status,
                found.is_returnable,
                action,
            )));
        };
        let changed = found.after(effect, &actor.caller.name, actor.now);
        if passes::replace(tx, &found, &changed).await? {
            if let Some(kind) = kind_of(effect) {
                record(tx, &changed, kind, actor).await?;
            }
            return Ok(Ok(changed));
        }
    }
    Err(ApiError::unavailable(
        "concurrent changes of a pass exhausted all attempts",
    ))
}

fn kind_of(effect: Effect) -> Option<Kind> {
    match effect {
        Effect::Deletes => Some(Kind::Deleted),
        Effect::Becomes(Status::Approved) => Some(Kind::Approved),
        Effect::Becomes(Status::Rejected) => Some(Kind::Rejected),
        Effect::Becomes(Status::Exited) => Some(Kind::Exited),
        Effect::Becomes(Status::Returned) => Some(Kind::Returned),
        Effect::Becomes(Status::Pending) | Effect::LeavesAsIs => None,
    }
}

async fn record(tx: &mut Tx, pass: &Pass, kind: Kind, actor: &Actor) -> Result<(), ApiError> {
    history::append(tx, pass, &actor.caller, actor.now).await?;
    notifications::tell(
        tx,
        Uuid::now_v7(),
        kind,
        pass,
        &actor.caller.name,
        actor.now,
    )
    .await?;
    Ok(())
}
