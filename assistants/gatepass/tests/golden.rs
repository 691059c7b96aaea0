//! Runs the golden conversations through the real engine and store and the real Gate Pass
//! API, with a model that says what the file says.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use frontdesk_core::access::{Identity, Principal, Proof};
use frontdesk_core::approval::Decision;
use frontdesk_core::event::Event;
use frontdesk_core::id::{AttachmentId, MessageId, ProfileId, TurnId};
use frontdesk_core::message::ToolCall;
use frontdesk_core::model::{Finish, Reply};
use frontdesk_core::run::{Cancel, Ending, Engine, run_turn};
use frontdesk_core::store::{
    Accepted, Approvals, Conversations, OpenTurn, Opened, Opening, RateLimit, Turns,
};
use frontdesk_core::transcript::Line;
use frontdesk_testkit::golden::{Golden, Step, StepKind, includes};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::bench::{Bench, Talk, plain_tokens};
use super::service::{demo_passes, site_with};
use super::stage::{Script, StillWorld, Watcher};
use crate::gatepass::people;

const LEASE: Duration = Duration::from_secs(20);

fn conversations(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("gatepass")
        .join(folder);
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .collect();
    files.sort();
    files
}

#[tokio::test]
async fn conversations_with_the_service() {
    let files = conversations("conversations");
    assert!(files.len() >= 17, "{} files", files.len());
    let passes = demo_passes().await;
    for file in files {
        let (bench, _service) = site_with(&passes).await;
        play(&bench, &file).await;
    }
}

#[tokio::test]
async fn conversations_without_the_service() {
    for file in conversations("conversations/without-service") {
        let closed = std::net::TcpListener::bind("127.0.0.1:0")
            .unwrap()
            .local_addr()
            .unwrap();
        let bench = Bench::with(&format!("http://{closed}"), &[], plain_tokens()).await;
        play(&bench, &file).await;
        assert_eq!(bench.world.waits()[..3], [2, 4, 8], "it was tried again");
    }
}

struct Player<'a> {
    bench: &'a Bench,
    talk: Talk,
    model: Arc<Script>,
    watcher: Arc<Watcher>,
    engine: Engine,
    folder: PathBuf,
    place: String,
}

async fn play(bench: &Bench, file: &Path) {
    let place = file.file_name().unwrap().to_string_lossy().into_owned();
    let golden = Golden::parse(&std::fs::read_to_string(file).unwrap())
        .unwrap_or_else(|e| panic!("{place}: {e}"));
    assert_eq!(golden.assistant, "gatepass", "{place}");
    let watcher = Arc::new(Watcher::default());
    let store = Arc::new(bench.store.clone());
    let mut player = Player {
        talk: bench.talk(persona(&golden.persona)).await,
        model: Arc::default(),
        engine: Engine {
            turns: Arc::clone(&store) as _,
            artifacts: Arc::clone(&store) as _,
            attachments: store,
            world: Arc::new(StillWorld(Arc::clone(&bench.world))),
            audience: Arc::clone(&watcher) as _,
            lease_for: LEASE,
        },
        folder: file.parent().unwrap().to_owned(),
        bench,
        watcher,
        place,
    };
    let mut turn = Vec::new();
    for step in golden.steps {
        let ends = matches!(step.kind, StepKind::Outcome(_));
        turn.push(step);
        if ends {
            player.play_turn(std::mem::take(&mut turn)).await;
        }
    }
}

fn persona(name: &str) -> Principal {
    let persona = people::personas()
        .into_iter()
        .find(|persona| persona.name == name)
        .unwrap();
    let identity = Identity {
        subject: persona.subject(),
        profile: ProfileId::from_uuid(persona.profile()),
        name: persona.display_name.to_owned(),
        email: Some(persona.email.to_owned()),
        roles: persona.roles.into_iter().collect(),
        companies: Vec::new(),
        expires: None,
    };
    Principal::authenticated(identity, Proof::Persona)
}

impl Player<'_> {
    async fn play_turn(&mut self, steps: Vec<Step>) {
        let mut attached = Vec::new();
        let mut said = String::new();
        let mut expected = VecDeque::new();
        for step in steps {
            match step.kind {
                StepKind::Attach(path) => attached.push(self.attach(&path).await),
                StepKind::User(text) => said = text,
                StepKind::ModelSays(text) => self.script(Reply {
                    text,
                    ..Reply::default()
                }),
                StepKind::ModelCalls(calls) => {
                    let calls = calls
                        .into_iter()
                        .enumerate()
                        .map(|(index, call)| ToolCall {
                            id: format!("call_{}_{index}", step.line),
                            name: call.name,
                            arguments: call.arguments,
                        })
                        .collect();
                    self.script(Reply {
                        calls,
                        finish: Finish::ToolCalls,
                        ..Reply::default()
                    });
                }
                other @ (StepKind::As(_)
                | StepKind::Refused(_)
                | StepKind::Result(_)
                | StepKind::Failed(_)
                | StepKind::Asked(_)
                | StepKind::Approved(_)
                | StepKind::Rejected(_)
                | StepKind::Saved(_)
                | StepKind::Phase(_)
                | StepKind::Says(_)
                | StepKind::Outcome(_)) => expected.push_back((step.line, other)),
            }
        }
        self.watcher.0.lock().unwrap().clear();
        let opened = self.open(said, attached).await;
        let turn = opened.lease.turn;
        let mut ending = self.run(opened).await;
        while ending == Ending::AwaitingApproval {
            self.decide(turn, &expected).await;
            let node = self
                .engine
                .turns
                .take_over("test", self.engine.world.now(), LEASE)
                .await
                .unwrap();
            ending = self.run(node.expect("the turn goes on")).await;
        }
        self.compare(expected);
        assert!(
            self.model.0.lock().unwrap().is_empty(),
            "{}: the model was not asked for all it has to say",
            self.place
        );
    }

    fn script(&self, reply: Reply) {
        self.model.0.lock().unwrap().push_back(reply);
    }

    async fn attach(&mut self, path: &str) -> AttachmentId {
        let bytes = std::fs::read(self.folder.join(path)).unwrap();
        self.bench.attach(&mut self.talk, path, bytes).await;
        self.talk.handles.files.last().unwrap().attachment
    }

    async fn open(&self, content: String, attachments: Vec<AttachmentId>) -> Opened {
        let who = &self.talk.who;
        let conversation = self
            .bench
            .store
            .get(who, self.talk.conversation.id)
            .await
            .unwrap();
        let assistant = &self.bench.assistant;
        let mut context = Vec::new();
        for loader in &assistant.context {
            context.extend(loader.load(who, &conversation).await.map(Line::context));
        }
        let request = OpenTurn {
            turn: TurnId::from_uuid(Uuid::now_v7()),
            conversation: conversation.id,
            opening: Opening::Message {
                id: MessageId::from_uuid(Uuid::now_v7()),
                content,
                metadata: Map::new(),
                attachments,
            },
            key: None,
            rate: RateLimit {
                bucket: "test".to_owned(),
                max: 100,
                window: Duration::from_secs(60),
            },
            window: assistant.limits.window,
            context,
            node: "test".to_owned(),
            lease_for: LEASE,
            turn_for: assistant.limits.turn,
            now: self.engine.world.now(),
        };
        match self.bench.store.open(who, request).await.unwrap() {
            Accepted::Opened(opened) => *opened,
            Accepted::Replay { .. } => panic!("{}: no key was given", self.place),
        }
    }

    async fn run(&self, opened: Opened) -> Ending {
        let (assistant, model) = (Arc::clone(&self.bench.assistant), Arc::clone(&self.model));
        run_turn(&self.engine, assistant, model, opened, Cancel::default())
            .await
            .unwrap()
    }

    /// Decides the card that waits as the file says.
    async fn decide(&self, turn: TurnId, expected: &VecDeque<(usize, StepKind)>) {
        let store = &self.bench.store;
        let now = self.engine.world.now();
        let waiting = store.pending(&self.talk.who, now).await.unwrap();
        let card = &waiting
            .first()
            .unwrap_or_else(|| panic!("{}: a card", self.place))
            .card;
        assert_eq!(card.requester, self.talk.who.name());
        let says = |wanted: StepKind| expected.iter().any(|(_, kind)| *kind == wanted);
        let decision = if says(StepKind::Approved(card.tool.clone())) {
            Decision::Approved
        } else {
            assert!(
                says(StepKind::Rejected(card.tool.clone())),
                "{}: nobody decides about {}",
                self.place,
                card.tool
            );
            Decision::Rejected
        };
        store
            .decide(&self.talk.who, turn, &card.call_id, decision, None, now)
            .await
            .unwrap();
    }

    /// What happened is what the file says, in its order, and nothing else.
    fn compare(&self, expected: VecDeque<(usize, StepKind)>) {
        let events = self.watcher.0.lock().unwrap().clone();
        let answer: String = events
            .iter()
            .filter_map(|event| {
                let Event::TextDelta { text } = event else {
                    return None;
                };
                Some(text.as_str())
            })
            .collect();
        let mut happened: VecDeque<&Event> = events
            .iter()
            .filter(|event| {
                matches!(
                    event,
                    Event::ToolFinished(_) | Event::ApprovalRequested { .. }
                )
            })
            .collect();
        for (line, kind) in expected {
            let at = format!("{} line {line}", self.place);
            match kind {
                StepKind::Refused(text) => match happened.pop_front() {
                    Some(Event::ToolFinished(done)) if done.refused.is_some() => {
                        assert_eq!(done.summary, text, "{at}")
                    }
                    other => panic!("{at}: expected a refusal, got {other:?}"),
                },
                StepKind::Result(text) => match happened.pop_front() {
                    Some(Event::ToolFinished(done)) if done.ok => {
                        match serde_json::from_str::<Value>(&text) {
                            Ok(fields) => {
                                assert!(includes(&done.result, &fields), "{at}: {}", done.result)
                            }
                            Err(_) => assert!(done.told.contains(&text), "{at}: {}", done.told),
                        }
                    }
                    other => panic!("{at}: expected a result, got {other:?}"),
                },
                StepKind::Failed(text) => match happened.pop_front() {
                    Some(Event::ToolFinished(done)) if !done.ok && done.refused.is_none() => {
                        assert!(done.told.contains(&text), "{at}: {}", done.told);
                    }
                    other => panic!("{at}: expected a failure, got {other:?}"),
                },
                StepKind::Asked(tool) => match happened.pop_front() {
                    Some(Event::ApprovalRequested { card }) => assert_eq!(card.tool, tool, "{at}"),
                    other => panic!("{at}: expected a card, got {other:?}"),
                },
                StepKind::Approved(_) | StepKind::Rejected(_) => {}
                StepKind::Says(text) => assert!(answer.contains(&text), "{at}: {answer}"),
                StepKind::Outcome(outcome) => {
                    let ended = events.iter().find_map(Event::ended);
                    assert_eq!(
                        ended.map(|ended| ended.outcome.as_str()),
                        Some(outcome.as_str()),
                        "{at}"
                    );
                }
                StepKind::As(_)
                | StepKind::Saved(_)
                | StepKind::Phase(_)
                | StepKind::Attach(_)
                | StepKind::User(_)
                | StepKind::ModelSays(_)
                | StepKind::ModelCalls(_) => panic!("{at}: not used here"),
            }
        }
        assert!(
            happened.is_empty(),
            "{}: not foreseen: {happened:?}",
            self.place
        );
    }
}
