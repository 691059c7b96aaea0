//! Fails each failpoint of a turn's writes in turn, the first, the second and so on, until a turn
//! completes untouched. After every failure the checker must pass.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use frontdesk_db::faults::{Point, install};
use frontdesk_db::{Db, DbError};
use futures_util::future::join_all;
use tokio::sync::watch;
use uuid::Uuid;

use super::check::violations;
use super::clients::{ClientLog, Person, SendResult};
use super::facts;
use super::inside::Inside;
use super::kills::{check, check_at};
use super::place::{Place, in_time, number, pause};
use super::progress::Progress;
use crate::harness::Backing;

/// Failure to inject at a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// The connection breaks; at a commit the outcome is unknown.
    Lost,
    /// The database rejects the write.
    Refused,
    Panic,
    /// The write stalls for longer than a lease.
    Stall,
}

const KINDS: [Kind; 4] = [Kind::Lost, Kind::Refused, Kind::Panic, Kind::Stall];
const STALL: Duration = Duration::from_secs(2);
/// Processes that abort concurrently.
const DOOMED: usize = 4;
/// Minimum number of points in a turn with one call of each effect. A step is one statement on
/// PostgreSQL and several on SQLite.
const FEWEST_ON_SQLITE: usize = 50;
const FEWEST_ON_POSTGRES: usize = 25;

/// The write hook: the armed failure, and the point where it fired.
#[derive(Default)]
struct Fault {
    state: Mutex<State>,
    held: Condvar,
    stalled: watch::Sender<usize>,
}

#[derive(Default)]
struct State {
    /// Number of points from now, and the failure.
    armed: Option<(usize, Kind)>,
    /// The point where the failure fired.
    fired: Option<Point>,
    holding: bool,
}

impl Fault {
    fn arm(&self, at: usize, kind: Kind) {
        *self.state() = State {
            armed: Some((at, kind)),
            ..State::default()
        };
    }

    /// Disarms the hook and returns the point where it fired, if it did. Also releases a held
    /// write: after the end of the turn nothing else would.
    fn disarm(&self) -> Option<Point> {
        let fired = std::mem::take(&mut *self.state()).fired;
        self.held.notify_all();
        fired
    }

    fn pass(&self, point: Point) -> Result<(), DbError> {
        let Some(kind) = self.due(point) else {
            return Ok(());
        };
        match kind {
            Kind::Lost => Err(lost(point)),
            Kind::Refused => Err(refused(point)),
            // Unwinds without the panic hook, which would print a report for each.
            Kind::Panic => std::panic::resume_unwind(Box::new(point)),
            Kind::Stall => {
                tokio::task::block_in_place(|| self.hold());
                Ok(())
            }
        }
    }

    fn due(&self, point: Point) -> Option<Kind> {
        let mut state = self.state();
        let (left, kind) = state.armed?;
        if left > 1 {
            state.armed = Some((left - 1, kind));
            return None;
        }
        state.armed = None;
        state.fired = Some(point);
        state.holding = kind == Kind::Stall;
        Some(kind)
    }

    fn hold(&self) {
        self.stalled.send_modify(|times| *times += 1);
        let held = self.held.wait_while(self.state(), |state| state.holding);
        drop(held.unwrap_or_else(PoisonError::into_inner));
    }

    /// Advances the clock past a lease whenever a write stalls, then releases the write.
    async fn let_time_pass(&self, mut stalled: watch::Receiver<usize>, server: &Inside) {
        while stalled.changed().await.is_ok() {
            server.clock.advance(STALL);
            // Tasks woken by the clock get time to act.
            pause().await;
            self.state().holding = false;
            self.held.notify_all();
        }
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn lost(point: Point) -> DbError {
    let place = "the database".to_owned();
    match point {
        Point::Statement => DbError::Unavailable {
            place,
            reason: "on purpose".to_owned(),
        },
        Point::Commit | Point::Committed => DbError::OutcomeUnknown { place },
    }
}

fn refused(point: Point) -> DbError {
    match point {
        Point::Statement => DbError::Statement("on purpose".to_owned()),
        Point::Commit => DbError::Retryable {
            code: "40001".to_owned(),
        },
        // A write that is already on disk must not be reported as failed.
        Point::Committed => lost(point),
    }
}

/// A client that resends one message until the server reports its result.
struct Sender {
    person: Person,
    conversation: Uuid,
    content: String,
    refusals: usize,
}

impl Sender {
    async fn say(&mut self, url: &str) {
        loop {
            let said = self.person.say(url, self.conversation, &self.content);
            match said.await {
                SendResult::Accepted { whole } => {
                    assert!(whole, "the server ended the stream of {}", self.content);
                    return;
                }
                SendResult::Refused(status) if status.is_server_error() => self.refusals += 1,
                SendResult::Refused(status) => panic!("{}: {status}", self.content),
                SendResult::Lost => self.refusals += 1,
            }
        }
    }
}

/// A server whose writes fail on demand.
struct FaultyServer {
    place: Place,
    server: Inside,
    fault: Arc<Fault>,
    db: Db,
    log: ClientLog,
    refusals: usize,
    cases: usize,
}

impl FaultyServer {
    async fn new(backing: Backing) -> Self {
        let place = Place::new(backing).await;
        let fault = Arc::new(Fault::default());
        let hook = Arc::clone(&fault);
        install(&place.name(), Arc::new(move |point| hook.pass(point)));
        let server = Inside::start(&place).await;
        Self {
            db: place.db().await,
            server,
            fault,
            place,
            log: ClientLog::default(),
            refusals: 0,
            cases: 0,
        }
    }

    /// Sends one message whose writes fail at this point. Returns the point, or `None` if the turn
    /// has fewer.
    async fn case(&mut self, at: usize, kind: Kind) -> Option<Point> {
        self.cases += 1;
        let person = Person::new(0, &self.log);
        let url = &self.server.url;
        let conversation = person.conversation(url, "effects").await.unwrap();
        let mut sender = Sender {
            person,
            conversation,
            content: format!("{kind:?}-{at} all"),
            refusals: 0,
        };
        let stalled = self.fault.stalled.subscribe();
        self.fault.arm(at, kind);
        let said = async {
            sender.say(url).await;
            self.place.settled(&self.db).await;
        };
        let what = format!("{} ends", sender_name(at, kind));
        tokio::select! {
            () = in_time(&what, self.server.meanwhile(said)) => {}
            () = self.fault.let_time_pass(stalled, &self.server) => {}
        }
        let fired = self.fault.disarm();
        self.refusals += sender.refusals;
        let facts = facts::read(&self.db).await;
        let found = violations(&self.log.acks(), &facts, &self.place.effects.done());
        assert!(
            found.is_empty(),
            "{} at {fired:?}:\n{}",
            sender_name(at, kind),
            found.join("\n")
        );
        fired
    }

    /// Runs every `step`-th point. Returns the number of points hit.
    async fn every_point(&mut self, kind: Kind, first: usize, step: usize) -> usize {
        let mut hit = 0;
        let mut at = first;
        while self.case(at, kind).await.is_some() {
            hit += 1;
            at += step;
        }
        hit
    }

    /// Asserts that failures did fire, and runs the checker.
    async fn done(self) {
        assert!(self.refusals > 0, "nobody was ever refused");
        let taken = number(&self.db, "SELECT count(*) AS n FROM turns WHERE epoch > 0").await;
        assert!(taken > 0, "no worker ever gave up");
        assert_eq!(self.log.count(), self.cases);
        self.db.close().await;
        check_at(&self.place, &self.server.url, &self.log).await;
        self.server.stop().await;
    }
}

fn sender_name(at: usize, kind: Kind) -> String {
    format!("{kind:?} at point {at}")
}

/// A process that aborts when its writes reach this point; another takes over. Returns `false` if
/// there is no such point.
async fn abort(backing: Backing, at: usize) -> bool {
    let place = Place::new(backing).await;
    let log = ClientLog::default();
    let person = Person::new(0, &log);
    let content = format!("abort-{at} all");
    let doomed = place.start_doomed(at).await;
    let mut conversation = person.conversation(&doomed.url, "effects").await;
    if let Some(conversation) = conversation {
        let said = person.say(&doomed.url, conversation, &content).await;
        if said == (SendResult::Accepted { whole: true }) {
            check(&place, doomed, &log).await;
            return false;
        }
    }
    assert!(doomed.aborted().await, "it did not end by an abort");
    let target = place.start().await;
    if conversation.is_none() {
        conversation = person.conversation(&target.url, "effects").await;
    }
    let again = person.say(&target.url, conversation.unwrap(), &content);
    assert_eq!(
        again.await,
        SendResult::Accepted { whole: true },
        "{content}"
    );
    check(&place, target, &log).await;
    true
}

/// Aborts at every point, several processes at a time, until one completes. Returns the number of
/// aborts.
async fn abort_at_every_point(backing: Backing) -> usize {
    let mut aborted = 0;
    let mut first = 1;
    loop {
        let some = (first..first + DOOMED).map(|at| abort(backing, at));
        let hit = join_all(some).await.into_iter().filter(|hit| *hit).count();
        aborted += hit;
        if hit < DOOMED {
            return aborted;
        }
        first += DOOMED;
    }
}

async fn every_failpoint(backing: Backing, fewest: usize) {
    let mut faulty = FaultyServer::new(backing).await;
    let what = format!("failpoints on {backing:?}, kinds");
    let mut progress = Progress::of(what, KINDS.len() + 1);
    let mut cases = 0;
    for kind in KINDS {
        let hit = faulty.every_point(kind, 1, 1).await;
        assert!(hit >= fewest, "{kind:?}: only {hit} points");
        eprintln!("{kind:?} on {backing:?}: {hit} points");
        cases += hit;
        progress.step(&faulty.log);
    }
    let log = faulty.log.clone();
    faulty.done().await;
    let hit = abort_at_every_point(backing).await;
    assert!(hit >= fewest, "only {hit} aborts");
    progress.step(&log);
    eprintln!("{} cases on {backing:?}, {hit} of them aborts", cases + hit);
}

/// Each kind of failure at some of the points.
async fn some_failpoints(backing: Backing, step: usize) {
    let mut faulty = FaultyServer::new(backing).await;
    let mut hit = 0;
    for (number, kind) in KINDS.into_iter().enumerate() {
        hit += faulty.every_point(kind, 1 + number * 2, step).await;
    }
    assert!(hit >= 2 * KINDS.len(), "only {hit} faults");
    faulty.done().await;
    let aborts = join_all([4, 12].map(|at| abort(backing, at))).await;
    assert_eq!(aborts, [true, true]);
}

// design: promises P1 failpoints
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_write_that_fails_at_some_points_loses_and_doubles_nothing_on_sqlite() {
    some_failpoints(Backing::Sqlite, 17).await;
}

// design: promises P1 failpoints
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_write_that_fails_at_some_points_loses_and_doubles_nothing_on_postgres() {
    some_failpoints(Backing::Postgres, 9).await;
}

// design: promises P1 failpoints
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
#[ignore = "long: make test-full"]
async fn a_write_that_fails_at_any_point_loses_and_doubles_nothing_on_sqlite() {
    every_failpoint(Backing::Sqlite, FEWEST_ON_SQLITE).await;
}

// design: promises P1 failpoints
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
#[ignore = "long: make test-full"]
async fn a_write_that_fails_at_any_point_loses_and_doubles_nothing_on_postgres() {
    every_failpoint(Backing::Postgres, FEWEST_ON_POSTGRES).await;
}
