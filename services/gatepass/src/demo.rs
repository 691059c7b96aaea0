//! Demo data: a week at a small plant, identical on every machine. Created only if there
//! are no passes.

use std::collections::HashMap;

use bytes::Bytes;
use chrono::{DateTime, TimeDelta, Utc};
use chrono_tz::Tz;
use frontdesk_db::Tx;
use frontdesk_files::{Format, Picture};

use crate::auth::{Caller, Role};
use crate::changes::{self, Actor, NewPass, PendingPhoto};
use crate::error::ApiError;
use crate::pass::{Action, PassNumber, Status};
use crate::photo::StoreError;
use crate::service::GatePass;
use crate::tables::lists::{self, Counts};
use crate::tables::photos::ScanKind;

/// The reason demo data could not be created; for the operator.
#[derive(Debug, thiserror::Error)]
pub enum DemoError {
    #[error("the demo passes could not be stored: {0}")]
    Database(String),
    #[error(transparent)]
    Photos(#[from] StoreError),
}

const HR: &str = "Ayesha Siddiqui";
const ADMIN: &str = "Omar Farooq";
const GUARD: &str = "Bilal Ahmed";

/// Person, purpose, returnable, final status, and the age of the request in hours.
type DemoPass = (&'static str, &'static str, bool, Status, i64);

#[rustfmt::skip]
const STORIES: [DemoPass; 12] = [
    ("Hamza Qureshi", "Deposit the payroll cheques at the State Bank", true, Status::Returned, 150),
    ("Fatima Zahra", "Collect spare parts for loom 7 from the importer", true, Status::Returned, 128),
    ("Imran Baig", "Annual leave, handing in tools and badge", false, Status::Exited, 103),
    ("Sana Malik", "Personal errand during working hours", true, Status::Rejected, 98),
    ("Usman Tariq", "Return the rented generator to the supplier", false, Status::Exited, 75),
    ("Ольга Петрова", "Visit to the customer's warehouse with samples", true, Status::Returned, 54),
    ("زینب علی", "ہسپتال میں طبی معائنہ", true, Status::Exited, 30),
    ("Danish Raza", "Calibration of the weighing scales at the laboratory", true, Status::Exited, 8),
    ("Maria Gonzalez", "Audit meeting at the head office", true, Status::Approved, 6),
    ("Kamran Yousaf", "Taking home two monitors for remote work", false, Status::Approved, 4),
    ("Nadia Hussain", "Bank visit to renew the company cards", true, Status::Pending, 2),
    ("Ali Khan", "Pick up documents from the customs office", true, Status::Pending, 1),
];

/// The index of a demo pass, the scan and its photo: drawn portraits, stored as files so that no start has to
/// render them.
#[rustfmt::skip]
const PORTRAITS: [(usize, ScanKind, &[u8]); 10] = [
    (0, ScanKind::Exit, include_bytes!("../portraits/hamza-exit.jpg")),
    (0, ScanKind::Return, include_bytes!("../portraits/hamza-return.jpg")),
    (1, ScanKind::Exit, include_bytes!("../portraits/fatima-exit.jpg")),
    (1, ScanKind::Return, include_bytes!("../portraits/fatima-return.jpg")),
    (2, ScanKind::Exit, include_bytes!("../portraits/imran-exit.jpg")),
    (4, ScanKind::Exit, include_bytes!("../portraits/usman-exit.jpg")),
    (5, ScanKind::Exit, include_bytes!("../portraits/olga-exit.jpg")),
    (5, ScanKind::Return, include_bytes!("../portraits/olga-return.jpg")),
    (6, ScanKind::Exit, include_bytes!("../portraits/zainab-exit.jpg")),
    (7, ScanKind::Exit, include_bytes!("../portraits/danish-exit.jpg")),
];

/// Creates the demo passes if there are none; returns how many.
pub async fn seed_demo(service: &GatePass) -> Result<usize, DemoError> {
    let empty = service
        .read(|tx| Box::pin(async move { Ok(lists::counts(tx).await? == Counts::default()) }));
    if !empty.await.map_err(demo_error)? {
        return Ok(0);
    }
    let zone = service.settings.time_zone;
    let mut events = Vec::new();
    for event in story_board(service.now()) {
        let mut taken = None;
        if let Some((picture, moment)) = event.picture() {
            let photo = PendingPhoto::new(&picture, moment, &event.actor(), i64::MAX);
            let bytes = Bytes::from(picture.bytes);
            service.photos.put(&photo.photo.key(), bytes).await?;
            taken = Some(photo);
        }
        events.push((event, taken));
    }
    let made = service.write(move |tx| Box::pin(async move { act(tx, events, zone).await }));
    made.await.map_err(demo_error)
}

fn demo_error(error: ApiError) -> DemoError {
    DemoError::Database(format!("{error:?}"))
}

/// One action on a pass.
#[derive(Clone, Copy)]
struct Event {
    at: DateTime<Utc>,
    story: usize,
    step: Step,
}

#[derive(Clone, Copy)]
enum Step {
    Create,
    Decide(Action),
    Scan(ScanKind),
}

impl Step {
    fn moment(self) -> Option<ScanKind> {
        match self {
            Step::Scan(moment) => Some(moment),
            Step::Create | Step::Decide(_) => None,
        }
    }
}

impl Event {
    /// The photo of this event.
    fn picture(&self) -> Option<(Picture, ScanKind)> {
        let (_, moment, bytes) = PORTRAITS.iter().find(|(story, moment, _)| {
            *story == self.story && Some(*moment) == self.step.moment()
        })?;
        let picture = Picture {
            format: Format::Jpeg,
            bytes: bytes.to_vec(),
        };
        Some((picture, *moment))
    }

    fn actor(&self) -> Actor {
        let (name, role) = match self.step {
            Step::Create => (HR, Role::Hr),
            Step::Decide(_) => (ADMIN, Role::Admin),
            Step::Scan(_) => (GUARD, Role::Gate),
        };
        let caller = Caller {
            sub: format!("demo:{}", role.into_str()),
            name: name.to_owned(),
            roles: vec![role],
        };
        Actor {
            caller,
            now: self.at,
        }
    }
}

/// All events in chronological order.
fn story_board(now: DateTime<Utc>) -> Vec<Event> {
    let mut events = Vec::new();
    for (story, (.., status, hours_ago)) in STORIES.iter().enumerate() {
        let steps: &[Step] = match status {
            Status::Pending => &[Step::Create],
            Status::Approved => &[Step::Create, Step::Decide(Action::Approve)],
            Status::Rejected => &[Step::Create, Step::Decide(Action::Reject)],
            Status::Exited => &[
                Step::Create,
                Step::Decide(Action::Approve),
                Step::Scan(ScanKind::Exit),
            ],
            Status::Returned => &[
                Step::Create,
                Step::Decide(Action::Approve),
                Step::Scan(ScanKind::Exit),
                Step::Scan(ScanKind::Return),
            ],
        };
        let asked = now - TimeDelta::hours(*hours_ago);
        let after = [0, 17, 43, 161].map(TimeDelta::minutes);
        events.extend(steps.iter().zip(after).map(|(step, after)| Event {
            at: asked + after,
            story,
            step: *step,
        }));
    }
    events.sort_by_key(|event| event.at);
    events
}

/// Applies all events by the same rules as requests.
async fn act(
    tx: &mut Tx,
    events: Vec<(Event, Option<PendingPhoto>)>,
    zone: Tz,
) -> Result<usize, ApiError> {
    // Two nodes may start at once: the second finds the passes of the first.
    if lists::counts(tx).await? != Counts::default() {
        return Ok(0);
    }
    let mut numbers: HashMap<usize, PassNumber> = HashMap::new();
    for (event, taken) in events {
        let actor = event.actor();
        let Some((person_name, description, is_returnable, ..)) = STORIES.get(event.story) else {
            continue;
        };
        let known = numbers.get(&event.story).cloned();
        match (event.step, known, taken) {
            (Step::Create, ..) => {
                let new = NewPass {
                    person_name: (*person_name).to_owned(),
                    description: (*description).to_owned(),
                    is_returnable: *is_returnable,
                };
                let answer = changes::create(tx, new, zone, &actor).await?;
                let number = answer.body["pass_number"]
                    .as_str()
                    .and_then(|number| number.parse().ok());
                numbers.extend(number.map(|number| (event.story, number)));
            }
            (Step::Decide(action), Some(number), _) => {
                changes::decide_on(tx, number, action, &actor).await?;
            }
            (Step::Scan(_), Some(number), Some(taken)) => {
                changes::scan(tx, number, taken, &actor).await?;
            }
            (Step::Decide(_) | Step::Scan(_), ..) => {}
        }
    }
    Ok(numbers.len())
}
