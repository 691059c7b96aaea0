//! A runtime for tests: ask, cancel, approve, crash, resume. Checks every promise after a turn.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};
use frontdesk_core::access::{Identity, Principal, Proof, Role};
use frontdesk_core::approval::Decision;
use frontdesk_core::assistant::{Assistant, Limits};
use frontdesk_core::env::Env;
use frontdesk_core::event::{Entry, Event, Finished};
use frontdesk_core::id::{MessageId, ProfileId, TurnId};
use frontdesk_core::model::ModelSettings;
use frontdesk_core::phase::PhaseSpec;
use frontdesk_core::reply::ReplySchema;
use frontdesk_core::run::{Cancel, Ending, Engine, end_without_assistant, run_turn};
use frontdesk_core::store::{
    Accepted, Artifacts, Attachments, Budget, OpenTurn, Opened, Opening, RateLimit, StoreError,
    Turns,
};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::env::VirtualEnv;
use super::history;
use super::lab::{self, CLOSING, INTAKE, Lab};
use super::model::{Scripted, ScriptedReply};
use super::promises::Case;
use super::store::Memory;
use super::watch::Watchers;

pub(crate) const LEASE: Duration = Duration::from_secs(30);

pub(crate) struct Runtime {
    pub(crate) env: VirtualEnv,
    pub(crate) store: Arc<Memory>,
    pub(crate) model: Arc<Scripted>,
    pub(crate) lab: Arc<Lab>,
    pub(crate) assistant: Arc<Assistant>,
    pub(crate) watchers: Arc<Watchers>,
    pub(crate) engine: Engine,
    pub(crate) person: Principal,
}

pub(crate) fn person(name: &str, role: Role) -> Principal {
    person_until(name, role, None)
}

/// A person whose sign-in expires.
pub(crate) fn person_until(name: &str, role: Role, expires: Option<DateTime<Utc>>) -> Principal {
    let number = name
        .bytes()
        .fold(0, |sum, byte| sum * 256 + u128::from(byte));
    Principal::authenticated(
        Identity {
            subject: Uuid::from_u128(number),
            profile: ProfileId::from_uuid(Uuid::from_u128(number)),
            name: name.to_owned(),
            email: None,
            roles: [role].into(),
            companies: Vec::new(),
            expires,
        },
        Proof::Persona,
    )
}

pub(crate) fn hanna() -> Principal {
    person("Hanna", Role::HR_USER)
}

pub(crate) fn ada() -> Principal {
    person("Ada", Role::ADMIN_USER)
}

fn assistant(lab: &Arc<Lab>, limits: Limits) -> Assistant {
    Assistant {
        name: "desk".into(),
        title: "Front desk".into(),
        description: "Tickets and letters.".into(),
        roles: Vec::new(),
        instructions: "You are the front desk.".into(),
        phases: vec![
            PhaseSpec {
                phase: INTAKE,
                aliases: &[],
                instructions: "Take the ticket in.".into(),
            },
            PhaseSpec {
                phase: CLOSING,
                aliases: &[],
                instructions: "Close the ticket.".into(),
            },
        ],
        toolbox: lab::toolbox(lab),
        context: Vec::new(),
        reply_schema: None,
        model: ModelSettings {
            model: "scripted".to_owned(),
            temperature: None,
            max_tokens: None,
        },
        limits,
        greeting: "Hello.".into(),
        suggestions: Vec::new(),
    }
}

/// Tools and assistant, shared by many runtimes: building them takes longer than a turn.
pub(crate) struct Workshop {
    lab: Arc<Lab>,
    assistant: Arc<Assistant>,
}

impl Workshop {
    pub(crate) fn new(limits: Limits) -> Self {
        let lab = Lab::new(VirtualEnv::new());
        let assistant = Arc::new(assistant(&lab, limits));
        Self { lab, assistant }
    }

    /// An assistant with structured answers.
    pub(crate) fn answering(schema: ReplySchema) -> Self {
        let lab = Lab::new(VirtualEnv::new());
        let assistant = Arc::new(Assistant {
            reply_schema: Some(schema),
            ..assistant(&lab, Limits::default())
        });
        Self { lab, assistant }
    }

    /// Starts a new runtime and ends the previous one.
    pub(crate) fn runtime(&self, env: VirtualEnv, person: Principal) -> Runtime {
        self.lab.begin(env.clone());
        Runtime::over(
            env,
            Arc::clone(&self.lab),
            Arc::clone(&self.assistant),
            person,
        )
    }
}

impl Runtime {
    pub(crate) fn new() -> Self {
        Self::used_by(hanna())
    }

    pub(crate) fn with_limits(limits: Limits) -> Self {
        Workshop::new(limits).runtime(VirtualEnv::new(), hanna())
    }

    pub(crate) fn used_by(person: Principal) -> Self {
        Workshop::new(Limits::default()).runtime(VirtualEnv::new(), person)
    }

    fn over(env: VirtualEnv, lab: Arc<Lab>, assistant: Arc<Assistant>, person: Principal) -> Self {
        let store = Arc::new(Memory::new(env.clone(), &person, INTAKE));
        let watchers = Arc::new(Watchers::default());
        let engine = Engine {
            turns: Arc::clone(&store) as Arc<dyn Turns>,
            artifacts: Arc::clone(&store) as Arc<dyn Artifacts>,
            attachments: Arc::clone(&store) as Arc<dyn Attachments>,
            env: Arc::new(env.clone()),
            observer: Arc::clone(&watchers) as _,
            lease_for: LEASE,
            text_tokens: 24_000,
        };
        Self {
            model: Arc::new(Scripted::new(env.clone())),
            env,
            store,
            lab,
            assistant,
            watchers,
            engine,
            person,
        }
    }

    /// One whole turn: the person writes, and the model follows the script.
    #[track_caller]
    pub(crate) fn ask(
        &self,
        content: &str,
        script: impl IntoIterator<Item = ScriptedReply>,
    ) -> Ending {
        self.model.will_say(script);
        let opened = self.open(content);
        let began = self.env.now();
        let ending = self
            .env
            .block_on(self.run(opened, Cancel::default()))
            .unwrap();
        self.check_since(began);
        ending
    }

    pub(crate) fn open(&self, content: &str) -> Opened {
        self.open_with(Opening::Message {
            id: MessageId::from_uuid(self.env.id()),
            content: content.to_owned(),
            metadata: Map::new(),
            attachments: Vec::new(),
        })
    }

    pub(crate) fn open_form(&self, tool: &str, arguments: Value) -> Opened {
        let Value::Object(arguments) = arguments else {
            panic!("a form has fields");
        };
        self.open_with(Opening::Form {
            id: MessageId::from_uuid(self.env.id()),
            content: format!("Form {tool}"),
            tool: tool.to_owned(),
            arguments,
        })
    }

    fn open_with(&self, opening: Opening) -> Opened {
        let limits = &self.assistant.limits;
        let request = OpenTurn {
            revision: None,
            budget: Budget::UNLIMITED,
            turn: TurnId::from_uuid(self.env.id()),
            conversation: self.store.state().conversation.id,
            opening,
            key: None,
            rate: RateLimit {
                bucket: "messages".to_owned(),
                max: 20,
                window: Duration::from_secs(60),
            },
            in_flight: 20,
            window: limits.window,
            context: Vec::new(),
            file_texts: Vec::new(),
            node: "node-0".to_owned(),
            lease_for: LEASE,
            turn_for: limits.turn,
            now: self.env.now(),
        };
        match self.env.block_on(self.store.open(&self.person, request)) {
            Ok(Accepted::Opened(opened)) => *opened,
            Ok(Accepted::Replay { .. }) => panic!("nothing was asked before"),
            Err(error) => panic!("{error}"),
        }
    }

    pub(crate) fn run(
        &self,
        opened: Opened,
        cancel: Cancel,
    ) -> impl Future<Output = Result<Ending, StoreError>> + '_ {
        run_turn(
            &self.engine,
            Arc::clone(&self.assistant),
            Arc::clone(&self.model) as _,
            opened,
            cancel,
        )
    }

    /// Takes over the turn once its lease has expired.
    pub(crate) fn take_over(&self) -> Option<Opened> {
        let now = self.env.now();
        self.env
            .block_on(self.store.take_over("node-1", now, LEASE))
            .unwrap()
    }

    /// Takes over the turn now and drives it on.
    #[track_caller]
    pub(crate) fn resume(&self) -> Ending {
        let opened = self.take_over().expect("a turn that waits for a worker");
        let began = self.env.now();
        let ending = self
            .env
            .block_on(self.run(opened, Cancel::default()))
            .unwrap();
        self.check_since(began);
        ending
    }

    /// Takes over the turn without its assistant.
    #[track_caller]
    pub(crate) fn resume_without_assistant(&self) -> Ending {
        let opened = self.take_over().expect("a turn that waits for a worker");
        let began = self.env.now();
        let model = Arc::clone(&self.model) as _;
        let ending = self
            .env
            .block_on(end_without_assistant(&self.engine, model, opened))
            .unwrap();
        self.check_since(began);
        ending
    }

    pub(crate) fn decide(
        &self,
        who: &Principal,
        call_id: &str,
        decision: Decision,
    ) -> Result<(), StoreError> {
        self.store
            .decide(who, self.turn(), call_id, decision, None, self.env.now())
    }

    /// Approves a card with changed arguments.
    pub(crate) fn approve_edited(
        &self,
        who: &Principal,
        call_id: &str,
        arguments: &Value,
    ) -> Result<(), StoreError> {
        let edited = arguments.as_object().cloned();
        let approved = Decision::Approved;
        self.store
            .decide(who, self.turn(), call_id, approved, edited, self.env.now())
    }

    pub(crate) fn let_pass(&self, seconds: i64) {
        self.env
            .advance_to(self.env.now() + chrono::Duration::seconds(seconds));
    }

    pub(crate) fn turn(&self) -> TurnId {
        self.store.state().turns.last().unwrap().id
    }

    /// The text deltas in the journal, in order.
    pub(crate) fn texts(&self) -> Vec<String> {
        let entries = self.entries().into_iter();
        entries
            .filter_map(|entry| {
                let Event::TextDelta { text } = entry.event else {
                    return None;
                };
                Some(text)
            })
            .collect()
    }

    pub(crate) fn entries(&self) -> Vec<Entry> {
        self.store.state().turns.last().unwrap().entries.clone()
    }

    /// The results of all calls of the newest turn, in order.
    pub(crate) fn finished(&self) -> Vec<Finished> {
        let mut finished = Vec::new();
        for entry in self.entries() {
            if let Event::ToolFinished(call) = entry.event {
                finished.push(call);
            }
        }
        finished
    }

    pub(crate) fn answer(&self) -> Option<String> {
        let state = self.store.state();
        let answer = state.turns.last().unwrap().answer.as_ref();
        answer.map(|answer| answer.content.clone())
    }

    /// Compares the journal of the newest turn.
    #[track_caller]
    pub(crate) fn saw(&self, expected: &str) {
        super::render::check(&self.entries(), expected);
    }

    /// Checks every promise about the newest turn, whose last worker started at `began`.
    #[track_caller]
    pub(crate) fn check_since(&self, began: DateTime<Utc>) {
        for asked in self.model.asked() {
            if let Err(problem) = history::valid_request(&asked.messages) {
                panic!("{problem}\nin {:#?}", asked.messages);
            }
        }
        let state = self.store.state();
        let row = state.turns.last().unwrap();
        let case = Case {
            state: &state,
            row,
            lab: &self.lab,
            seen: &self.watchers.seen(row.id),
            began,
            slack: chrono::Duration::zero(),
        };
        if let Err(problem) = case.check().and_then(|()| case.check_journal()) {
            panic!(
                "{problem}\n--- the journal:\n{}",
                super::render::journal(&row.entries)
            );
        }
    }
}
