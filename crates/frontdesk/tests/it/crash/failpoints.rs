//! Every point of a turn's writes fails once: at the first, the second, the third … until a turn
//! is done untouched. Each time the whole story must hold.

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

/// What happens at a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// The database is away; at the end nobody knows what it did.
    Lost,
    /// The database refuses.
    Refused,
    Panic,
    /// Nothing goes on for as long as a lease lasts.
    Stall,
}

const KINDS: [Kind; 4] = [Kind::Lost, Kind::Refused, Kind::Panic, Kind::Stall];
const STALL: Duration = Duration::from_secs(2);
/// Processes that die side by side.
const DOOMED: usize = 4;
/// A turn with a call of each effect passes at least so many points; on PostgreSQL a step is one
/// statement, on SQLite it is several.
const FEWEST_ON_SQLITE: usize = 50;
const FEWEST_ON_POSTGRES: usize = 25;

/// The hook: what it is to do, and what it has done.
#[derive(Default)]
struct Fault {
    state: Mutex<State>,
    held: Condvar,
    stalled: watch::Sender<usize>,
}

#[derive(Default)]
struct State {
    /// At which point from now on, and what.
    armed: Option<(usize, Kind)>,
    /// Where it happened.
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

    /// Where it happened since it was armed, if it did. A write that was held after everything had ended
    /// goes on, too: nobody else would let it.
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
            // A panic without its report, which would be printed for each of them.
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

    /// Lets time pass for everybody else each time a write is held, and then lets it go on.
    async fn let_time_pass(&self, mut stalled: watch::Receiver<usize>, server: &Inside) {
        while stalled.changed().await.is_ok() {
            server.clock.advance(STALL);
            // Whoever was woken by that gets to do something about it.
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
        // Nothing that is on the disk may be called a failure.
        Point::Committed => lost(point),
    }
}

/// A person who sends one message until the server has said what became of it.
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

/// A server whose writes fail when they are told to.
struct Ground {
    place: Place,
    server: Inside,
    fault: Arc<Fault>,
    db: Db,
    log: ClientLog,
    refusals: usize,
    cases: usize,
}

impl Ground {
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

    /// One message whose writes are hit at this point. Where that was, if they have as many.
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

    /// The loop, with each `step`-th point. How many points were hit.
    async fn every_point(&mut self, kind: Kind, first: usize, step: usize) -> usize {
        let mut hit = 0;
        let mut at = first;
        while self.case(at, kind).await.is_some() {
            hit += 1;
            at += step;
        }
        hit
    }

    /// The faults were felt, and the whole story holds.
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

/// A process that aborts when its writes get to this point; another one goes on. `false` when
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

/// The loop for aborts: some at a time, until a process does all of it. How many aborted.
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
    let mut ground = Ground::new(backing).await;
    let what = format!("failpoints on {backing:?}, kinds");
    let mut progress = Progress::of(what, KINDS.len() + 1);
    let mut cases = 0;
    for kind in KINDS {
        let hit = ground.every_point(kind, 1, 1).await;
        assert!(hit >= fewest, "{kind:?}: only {hit} points");
        eprintln!("{kind:?} on {backing:?}: {hit} points");
        cases += hit;
        progress.step(&ground.log);
    }
    let log = ground.log.clone();
    ground.done().await;
    let hit = abort_at_every_point(backing).await;
    assert!(hit >= fewest, "only {hit} aborts");
    progress.step(&log);
    eprintln!("{} cases on {backing:?}, {hit} of them aborts", cases + hit);
}

/// Each kind at some of the points, one after the other.
async fn some_failpoints(backing: Backing, step: usize) {
    let mut ground = Ground::new(backing).await;
    let mut hit = 0;
    for (number, kind) in KINDS.into_iter().enumerate() {
        hit += ground.every_point(kind, 1 + number * 2, step).await;
    }
    assert!(hit >= 2 * KINDS.len(), "only {hit} faults");
    ground.done().await;
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
