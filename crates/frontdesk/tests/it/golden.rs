//! Golden conversations through the real engine, store and model client; the model is scripted and
//! speaks the OpenAI protocol on a real socket.
#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "a test picks out the events it asks for"
)]

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use frontdesk::runtime::{NewConversationRequest, Saying, Started, Watch};
use frontdesk_core::access::Principal;
use frontdesk_core::approval::{ApprovalCard, Decision};
use frontdesk_core::event::{Event, Finished};
use frontdesk_core::id::{ConversationId, TurnId};
use frontdesk_testkit::golden::{Golden, ModelCall, Step, StepKind, includes};
use frontdesk_testkit::model_server::{Answer, ModelServer, call, calls, say};
use futures_util::stream::{self, StreamExt};
use serde_json::{Value, json};

use crate::harness::{Backing, TestApp};

/// Conversations that run concurrently, each in its own app.
const AT_A_TIME: usize = 4;

// design: 003 unit agent model, simulated model
#[tokio::test(flavor = "multi_thread")]
async fn golden_conversations_on_sqlite() {
    play_all(Backing::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn golden_conversations_on_postgres() {
    play_all(Backing::Postgres).await;
}

async fn play_all(backing: Backing) {
    let files = files();
    assert!(!files.is_empty(), "no golden conversations were found");
    let played = stream::iter(&files).map(|path| async move {
        let text = std::fs::read_to_string(path).unwrap();
        let golden = Golden::parse(&text).map_err(|error| error.to_string());
        match golden {
            Ok(golden) => run(&golden, path, backing).await,
            Err(problem) => Err(problem),
        }
        .map_err(|problem| format!("{}: {problem}", path.display()))
    });
    let results: Vec<Result<(), String>> = played.buffer_unordered(AT_A_TIME).collect().await;
    let failures: Vec<String> = results.into_iter().filter_map(Result::err).collect();
    assert!(failures.is_empty(), "\n{}\n", failures.join("\n"));
    println!("{} golden conversations", files.len());
}

/// Every `conversations/*.md` of an assistant.
fn files() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    for parent in [
        root.join("tests/it"),
        root.join("../../assistants"),
        root.join("../../examples"),
    ] {
        for folder in entries(&parent) {
            let conversations = entries(&folder.join("conversations"));
            found.extend(
                conversations
                    .into_iter()
                    .filter(|path| path.extension().is_some_and(|extension| extension == "md")),
            );
        }
    }
    found.sort();
    found
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    match std::fs::read_dir(folder) {
        Ok(entries) => entries.map(|entry| entry.unwrap().path()).collect(),
        Err(_) => Vec::new(),
    }
}

async fn run(golden: &Golden, path: &Path, backing: Backing) -> Result<(), String> {
    let server = ModelServer::start().await;
    server.script(golden.steps.iter().filter_map(|step| answer(&step.kind)));
    let test = TestApp::start(backing, &server.url()).await;
    let played = play(&test, golden, path).await;
    if played.is_err() {
        // Only the first problem matters; the rest of the script follows from it.
        server.abandon_script();
    }
    server.finish();
    played
}

async fn play(test: &TestApp, golden: &Golden, path: &Path) -> Result<(), String> {
    let mut play = CaseConversation::start(test, golden).await?;
    for step in &golden.steps {
        play.step(step, path)
            .await
            .map_err(|problem| format!("line {}: {problem}", step.line))?;
    }
    Ok(())
}

fn answer(kind: &StepKind) -> Option<Answer> {
    match kind {
        StepKind::ModelSays(text) => Some(say(text.as_str())),
        StepKind::ModelCalls(list) => Some(match list.as_slice() {
            [ModelCall { name, arguments }] => call(name, json!({})).arguments(arguments),
            several => calls(several.iter().map(|call| {
                let arguments: Value = serde_json::from_str(&call.arguments).unwrap();
                (call.name.as_str(), arguments)
            })),
        }),
        _ => None,
    }
}

/// The first call's result after one message, as people read it.
pub async fn say_once(test: &TestApp, persona: &str, assistant: &str, text: &str) -> String {
    let golden = Golden {
        title: String::new(),
        assistant: assistant.to_owned(),
        persona: persona.to_owned(),
        steps: Vec::new(),
    };
    let mut play = CaseConversation::start(test, &golden).await.unwrap();
    play.user(text).await.unwrap();
    play.next_call().unwrap().summary
}

/// A conversation in progress.
struct CaseConversation<'a> {
    test: &'a TestApp,
    who: Principal,
    conversation: ConversationId,
    turn: Option<TurnId>,
    /// Events that no step has consumed yet.
    events: VecDeque<Event>,
    card: Option<ApprovalCard>,
    text: String,
    position: u64,
    attach: Vec<String>,
}

impl<'a> CaseConversation<'a> {
    async fn start(test: &'a TestApp, golden: &Golden) -> Result<Self, String> {
        let who = test.person(&golden.persona).await;
        let new = NewConversationRequest {
            assistant: golden.assistant.clone(),
            ..NewConversationRequest::default()
        };
        let conversation = test.app.runtime.start_conversation(&who, new).await;
        Ok(Self {
            test,
            who,
            conversation: conversation.map_err(say_error)?.id,
            turn: None,
            events: VecDeque::new(),
            card: None,
            text: String::new(),
            position: 0,
            attach: Vec::new(),
        })
    }

    async fn step(&mut self, step: &Step, path: &Path) -> Result<(), String> {
        match &step.kind {
            StepKind::ModelSays(_) | StepKind::ModelCalls(_) => Ok(()),
            StepKind::As(persona) => {
                self.who = self.test.person(persona).await;
                Ok(())
            }
            StepKind::Attach(file) => {
                let file = path.with_file_name(file);
                self.attach.push(file.to_string_lossy().into_owned());
                Ok(())
            }
            StepKind::User(text) => self.user(text).await,
            StepKind::Refused(sentence) => {
                let finished = self.next_call()?;
                expect_equal(&finished.told, &format!("Error: {sentence}"))
            }
            StepKind::Failed(part) => {
                let finished = self.next_call()?;
                expect(!finished.ok && finished.told.contains(part), &finished.told)
            }
            StepKind::Result(expected) => {
                let finished = self.next_call()?;
                let matches = match serde_json::from_str::<Value>(expected) {
                    Ok(fields) => includes(&finished.result, &fields),
                    Err(_) => finished.told.contains(expected),
                };
                expect(finished.ok && matches, &finished.told)
            }
            StepKind::Asked(tool) => {
                let card = self.next("an approval", |event| match event {
                    Event::ApprovalRequested { card } => Some(card.clone()),
                    _ => None,
                })?;
                let asked = card.tool.clone();
                self.card = Some(card);
                expect_equal(&asked, tool)
            }
            StepKind::Approved(persona) => self.decide(persona, Decision::Approved).await,
            StepKind::Rejected(persona) => self.decide(persona, Decision::Rejected).await,
            StepKind::Saved(expected) => {
                let saved = self.next("an artifact", |event| match event {
                    Event::ArtifactSaved { mark, .. } => {
                        Some(format!("{} v{}", mark.kind, mark.version))
                    }
                    _ => None,
                })?;
                expect_equal(&saved, expected)
            }
            StepKind::Phase(expected) => {
                let moved = self.next("a change of phase", |event| match event {
                    Event::PhaseChanged(change) => {
                        Some(format!("{} -> {}", change.from, change.to))
                    }
                    _ => None,
                })?;
                expect_equal(&moved, expected)
            }
            StepKind::Says(part) => expect(self.text.contains(part), &self.text),
            StepKind::Outcome(outcome) => self.outcome(outcome),
        }
    }

    async fn user(&mut self, text: &str) -> Result<(), String> {
        let attachments =
            crate::files::attach(&self.test.app, &self.who, self.conversation, &self.attach).await;
        self.attach.clear();
        let saying = Saying {
            content: text.to_owned(),
            attachments,
            ..Saying::default()
        };
        let Started { turn, watch, .. } = self
            .test
            .app
            .runtime
            .say(&self.who, self.conversation, saying)
            .await
            .map_err(say_error)?;
        self.turn = Some(turn);
        self.text.clear();
        self.watch(watch).await
    }

    async fn watch(&mut self, mut watch: Watch) -> Result<(), String> {
        while let Some(entry) = watch.next().await.map_err(say_error)? {
            self.position = entry.position;
            match entry.event {
                Event::TextDelta { text } => self.text.push_str(&text),
                Event::TextReset { .. } => self.text.clear(),
                event => self.events.push_back(event),
            }
        }
        Ok(())
    }

    async fn decide(&mut self, persona: &str, decision: Decision) -> Result<(), String> {
        let (Some(turn), Some(card)) = (self.turn, self.card.take()) else {
            return Err("nothing waits for a decision".to_owned());
        };
        let runtime = &self.test.app.runtime;
        let decider = self.test.person(persona).await;
        runtime
            .decide(&decider, turn, &card.call_id, decision.into())
            .await
            .map_err(say_error)?;
        let watch = runtime
            .watch(&self.who, self.conversation, turn, self.position)
            .await
            .map_err(say_error)?;
        self.watch(watch).await
    }

    fn next_call(&mut self) -> Result<Finished, String> {
        self.next("a finished call", |event| match event {
            Event::ToolFinished(finished) => Some(finished.clone()),
            _ => None,
        })
    }

    /// The next event of a kind; skips events of other kinds before it.
    fn next<T>(&mut self, what: &str, pick: impl Fn(&Event) -> Option<T>) -> Result<T, String> {
        let found = self
            .events
            .iter()
            .enumerate()
            .find_map(|(index, event)| pick(event).map(|value| (index, value)));
        match found {
            Some((index, value)) => {
                self.events.remove(index);
                Ok(value)
            }
            None => Err(format!("{what} was expected, but there is none left")),
        }
    }

    fn outcome(&mut self, expected: &str) -> Result<(), String> {
        if let Ok(unasked) = self.next_call() {
            return Err(format!(
                "{} was called and no line says so: {}",
                unasked.name, unasked.told
            ));
        }
        let found = self.next("the end of the turn", |event| {
            event.ended().map(|ended| ended.outcome.as_str().to_owned())
        });
        match found {
            Ok(found) => expect_equal(&found, expected),
            Err(_) if self.card.is_some() => expect_equal("awaiting_approval", expected),
            Err(problem) => Err(problem),
        }
    }
}

fn expect(holds: bool, found: &str) -> Result<(), String> {
    if holds {
        Ok(())
    } else {
        Err(format!("found: {found}"))
    }
}

fn expect_equal(found: &str, expected: &str) -> Result<(), String> {
    expect(found == expected, found)
}

fn say_error(error: impl std::fmt::Display) -> String {
    error.to_string()
}
