//! One simulation run: a conversation of a few turns in which the model, the tools, the people, the
//! workers and the database all misbehave, determined by one seed.

pub(crate) mod wild;

use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use chrono::{DateTime, Utc};
use frontdesk_core::approval::Decision;
use frontdesk_core::assistant::Limits;
use frontdesk_core::env::Env;
use frontdesk_core::outcome::TurnState;
use frontdesk_core::run::{Cancel, Ending, run_turn};
use frontdesk_core::store::{Opened, StoreError};
use frontdesk_core::transcript::Window;
use serde_json::json;

use crate::kit::chance::Chance;
use crate::kit::env::{Task, VirtualEnv};
use crate::kit::promises::Case;
use crate::kit::render;
use crate::kit::runtime::{self, Runtime, Workshop};
use wild::Wild;

/// Counts of events over many runs, to prove that they occurred.
pub(crate) type Tally = BTreeMap<&'static str, usize>;

/// Executes the runs, one after the other.
pub(crate) struct Stage(Workshop);

impl Stage {
    pub(crate) fn new() -> Self {
        Self(Workshop::new(Limits {
            window: Window {
                max_messages: 12,
                max_tokens: 2_000,
            },
            turn: Duration::from_secs(90),
            ..Limits::default()
        }))
    }

    /// The error names the broken promise and contains the journal.
    pub(crate) fn run(&self, seed: u64, tally: &mut Tally) -> Result<(), String> {
        let mut chance = Chance::seeded(seed);
        let env = VirtualEnv::with_delays(Chance::seeded(chance.next()));
        let model = Arc::new(Wild::new(env.clone(), Chance::seeded(chance.next())));
        let runtime = self.0.runtime(env, runtime::hanna());
        if chance.once_in(2) {
            runtime.store.state().faults = Some(Chance::seeded(chance.next()));
        }
        for _ in 0..1 + usize::from(chance.once_in(3)) {
            let opened = runtime.open(chance.pick(&["Close T-1", "Go on", "Look at T-2"]));
            let mut turn = Running::new(&runtime, &model, &mut chance, tally);
            turn.begin(opened);
            turn.drive_to_the_end()?;
        }
        Ok(())
    }
}

type Work<'a> = Pin<Box<dyn Future<Output = Result<Ending, StoreError>> + 'a>>;

struct Worker<'a> {
    task: Task<Work<'a>>,
    cancel: Cancel,
    /// Suspended; may resume long after it lost its lease.
    asleep: bool,
}

/// Interval of the search for turns without a worker.
const SCAN_SECONDS: i64 = 5;

/// Maximum virtual duration of a turn, including approvals.
const PATIENCE_SECONDS: i64 = 10_000;

struct Running<'a> {
    runtime: &'a Runtime,
    model: &'a Arc<Wild>,
    chance: &'a mut Chance,
    tally: &'a mut Tally,
    workers: Vec<Worker<'a>>,
    crashes_left: usize,
    cancel_at: Option<DateTime<Utc>>,
    next_scan: DateTime<Utc>,
    give_up: DateTime<Utc>,
    began: DateTime<Utc>,
}

impl<'a> Running<'a> {
    fn new(
        runtime: &'a Runtime,
        model: &'a Arc<Wild>,
        chance: &'a mut Chance,
        tally: &'a mut Tally,
    ) -> Self {
        let now = runtime.env.now();
        let seconds = chrono::Duration::seconds;
        let cancel_at = chance.once_in(6).then(|| {
            let after = chance.below(40);
            now + seconds(i64::try_from(after).unwrap())
        });
        Self {
            runtime,
            model,
            workers: Vec::new(),
            crashes_left: chance.below(4),
            cancel_at,
            next_scan: now + seconds(SCAN_SECONDS),
            give_up: now + seconds(PATIENCE_SECONDS),
            began: now,
            chance,
            tally,
        }
    }

    fn count(&mut self, what: &'static str) {
        *self.tally.entry(what).or_default() += 1;
    }

    fn begin(&mut self, opened: Opened) {
        let cancel = Cancel::default();
        let work: Work<'a> = Box::pin(run_turn(
            &self.runtime.engine,
            Arc::clone(&self.runtime.assistant),
            Arc::clone(self.model) as _,
            opened,
            cancel.clone(),
        ));
        self.began = self.runtime.env.now();
        self.workers.push(Worker {
            task: Task::new(work),
            cancel,
            asleep: false,
        });
    }

    fn is_over(&self) -> bool {
        let state = self.runtime.store.state();
        state.turns.last().unwrap().state.is_over()
    }

    fn drive_to_the_end(&mut self) -> Result<(), String> {
        while !self.is_over() || self.workers.iter().any(|worker| !worker.asleep) {
            if !self.step()? {
                self.pass_time()?;
            }
        }
        let before = self.runtime.entries();
        self.wake_all()?;
        if self.runtime.entries() != before {
            return self.broken("a worker wrote after the end".to_owned());
        }
        self.check()
    }

    /// Polls one ready worker or drops it. `false` if all wait.
    fn step(&mut self) -> Result<bool, String> {
        let ready: Vec<usize> = (0..self.workers.len())
            .filter(|at| !self.workers[*at].asleep && self.workers[*at].task.is_woken())
            .collect();
        if ready.is_empty() {
            return Ok(false);
        }
        let at = self.chance.pick(&ready);
        if self.crashes_left > 0 && self.chance.once_in(25) {
            self.crashes_left -= 1;
            if self.chance.once_in(3) {
                self.count("paused");
                self.workers[at].asleep = true;
            } else {
                self.count("crashed");
                drop(self.workers.remove(at));
            }
            return Ok(true);
        }
        if let Poll::Ready(ending) = self.workers[at].task.poll() {
            drop(self.workers.remove(at));
            self.ended(ending)?;
        }
        Ok(true)
    }

    fn ended(&mut self, ending: Result<Ending, StoreError>) -> Result<(), String> {
        match ending {
            Ok(Ending::Over(outcome)) => self.count(outcome.as_str()),
            Ok(Ending::AwaitingApproval) => self.count("awaiting_approval"),
            Err(StoreError::Fenced) => self.count("fenced"),
            Err(StoreError::Conflict(_) | StoreError::Unavailable(_)) => self.count("gave up"),
            Err(error) => return self.broken(format!("a worker failed: {error}")),
        }
        Ok(())
    }

    /// Moves the clock to the next event and lets people act.
    fn pass_time(&mut self) -> Result<(), String> {
        let env = &self.runtime.env;
        let timers = env.next_timer().into_iter();
        let next = timers.chain([self.next_scan]).chain(self.cancel_at).min();
        env.advance_to(next.unwrap());
        let now = env.now();
        if now > self.give_up {
            return self.broken("the turn does not end".to_owned());
        }
        if self.cancel_at.is_some_and(|at| at <= now) {
            self.cancel_at = None;
            self.cancel();
        }
        if self.next_scan <= now {
            self.next_scan = now + chrono::Duration::seconds(SCAN_SECONDS);
            self.decide();
            self.wake_one();
            if let Some(opened) = self.runtime.take_over() {
                self.count("taken over");
                self.begin(opened);
            }
        }
        Ok(())
    }

    /// Cancels at the node that holds the turn or at another one.
    fn cancel(&mut self) {
        self.count("stop pressed");
        let here = self.chance.once_in(2);
        match self.workers.last() {
            Some(worker) if here => worker.cancel.cancel(),
            Some(_) | None => {
                self.runtime.store.cancel(self.runtime.turn());
            }
        }
    }

    /// Approvers sometimes decide, one way or the other.
    fn decide(&mut self) {
        let waiting: Vec<(String, bool)> = {
            let state = self.runtime.store.state();
            let row = state.turns.last().unwrap();
            if row.state != TurnState::AwaitingApproval {
                return;
            }
            let open = row.cards.iter().filter(|(_, decision)| decision.is_none());
            open.map(|(card, _)| (card.call_id.clone(), card.approvers.is_empty()))
                .collect()
        };
        for (call_id, by_requester) in waiting {
            if !self.chance.once_in(30) {
                continue;
            }
            let decision = self.chance.pick(&[Decision::Approved, Decision::Rejected]);
            let who = if by_requester {
                runtime::hanna()
            } else {
                runtime::ada()
            };
            if by_requester && self.chance.once_in(3) {
                let edited = json!({ "ticket": format!("T-{}", self.chance.below(9)) });
                if self.runtime.approve_edited(&who, &call_id, &edited).is_ok() {
                    self.count("edited");
                }
            } else if self.runtime.decide(&who, &call_id, decision).is_ok() {
                self.count("decided");
            }
        }
    }

    fn wake_one(&mut self) {
        let wakes = self.chance.once_in(8);
        if let Some(worker) = self.workers.iter_mut().find(|worker| worker.asleep)
            && wakes
        {
            worker.asleep = false;
            // A suspended worker starts over: its delay counts from here.
            self.began = self.runtime.env.now();
            self.count("woke up");
        }
    }

    /// Workers still suspended at the end wake up and find the turn finished.
    fn wake_all(&mut self) -> Result<(), String> {
        while let Some(mut worker) = self.workers.pop() {
            self.count("woke up late");
            let ending = self.runtime.env.finish(&mut worker.task);
            self.ended(ending)?;
        }
        Ok(())
    }

    fn check(&mut self) -> Result<(), String> {
        if let Some(problem) = self.model.complaint() {
            return self.broken(problem);
        }
        let verdict = {
            let state = self.runtime.store.state();
            let row = state.turns.last().unwrap();
            let case = Case {
                state: &state,
                row,
                lab: &self.runtime.lab,
                seen: &self.runtime.watchers.seen(row.id),
                began: self.began,
                slack: chrono::Duration::seconds(15),
            };
            case.check().and_then(|()| match self.chance.once_in(8) {
                true => case.check_journal(),
                false => Ok(()),
            })
        };
        verdict.or_else(|problem| self.broken(problem))
    }

    fn broken<T>(&self, problem: String) -> Result<T, String> {
        let journal = render::journal(&self.runtime.entries());
        Err(format!("{problem}\n--- the journal:\n{journal}"))
    }
}
