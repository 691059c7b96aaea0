//! Runs a case on the whole product: runtime, engine, store and tools, in a separate data folder
//! with demo data.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use chrono::{DateTime, TimeDelta, Utc};
use frontdesk_bundle::{Bundle, SetupContext, SetupError};
use frontdesk_core::access::Principal;
use frontdesk_core::approval::Decision;
use frontdesk_core::artifact::ExportFormat;
use frontdesk_core::assistant::Assistant;
use frontdesk_core::citation::Review;
use frontdesk_core::conversation::Conversation;
use frontdesk_core::env::Env;
use frontdesk_core::event::{Ended, Entry, Event};
use frontdesk_core::id::{AttachmentId, MessageId, TurnId};
use frontdesk_core::message::Message;
use frontdesk_core::model::{Model, Usage};
use frontdesk_core::outcome::Outcome;
use frontdesk_core::phase::Phase;
use frontdesk_core::store::{
    Accepted, Answer, Artifacts, Budget, FinishTurn, OpenTurn, Opening, RateLimit, Record,
    Speaker as Stored, Turns,
};
use frontdesk_core::tool::Source;
use frontdesk_core::toolbox::Offer;
use frontdesk_core::transcript::{Line as TranscriptLine, LineKind};
use futures_util::future::BoxFuture;
use serde_json::{Map, Value};
use uuid::Uuid;

use super::document::SavedDocument;
use super::judge::{Line, MessageResult, Speaker};
use super::suite::{Case, HistoryLine, Turn};
use crate::app::App;
use crate::config::Config;
use crate::identity::sign_in_persona;
use crate::runtime::{NewConversationRequest, Saying, Upload};
use crate::services::Reach;

/// A limit that no suite reaches.
const NO_LIMIT: u32 = 1_000_000;
const LONG: Duration = Duration::from_secs(60);
/// No case has more messages.
const MOST_MESSAGES: u32 = 100;

/// A minimal PNG; its content does not matter.
const PICTURE: &[u8] = &[
    0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0x00, 0x00, 0x00, 0x0D, 0x49, 0x48, 0x44, 0x52,
    0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x02, 0x08, 0x02, 0x00, 0x00, 0x00, 0xFD, 0xD4, 0x9A,
    0x73, 0x00, 0x00, 0x00, 0x10, 0x49, 0x44, 0x41, 0x54, 0x78, 0xDA, 0x63, 0x38, 0xB1, 0x65, 0x01,
    0x10, 0x31, 0x40, 0x28, 0x00, 0x3B, 0xBE, 0x08, 0x71, 0xC0, 0xFB, 0x3B, 0x7C, 0x00, 0x00, 0x00,
    0x00, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82,
];

/// The start time of every run (Unix seconds, a Monday), so that "tomorrow" and numbers that
/// contain the year are stable.
const START: i64 = 1_794_819_600;

/// A clock that starts at [`START`].
struct SandboxClock(Instant);

impl Env for SandboxClock {
    fn now(&self) -> DateTime<Utc> {
        let elapsed = TimeDelta::from_std(self.0.elapsed()).unwrap_or_default();
        let elapsed = TimeDelta::microseconds(elapsed.num_microseconds().unwrap_or_default());
        DateTime::from_timestamp(START, 0).unwrap_or_default() + elapsed
    }

    fn sleep(&self, duration: Duration) -> BoxFuture<'static, ()> {
        Box::pin(tokio::time::sleep(duration))
    }

    fn id(&self) -> Uuid {
        Uuid::now_v7()
    }
}

pub struct Sandbox {
    pub app: App,
    people: BTreeMap<String, Principal>,
}

/// Settings of a sandbox: of this machine's configuration, only the model applies.
pub fn settings(data_dir: String) -> Vec<(&'static str, String)> {
    let mut flags = vec![("data_dir", data_dir), ("demo", "true".to_owned())];
    for unset in [
        "database.url",
        "auth.jwt_secret",
        "auth.supabase_url",
        "auth.issuer",
        "auth.jwks_url",
        "search.qdrant_url",
        "server.public_url",
        "telemetry.otlp_endpoint",
        "telemetry.otlp_traces_endpoint",
        "telemetry.langfuse_public_key",
        "telemetry.langfuse_secret_key",
    ] {
        flags.push((unset, String::new()));
    }
    flags.extend([
        ("server.bind", "127.0.0.1:0".to_owned()),
        ("limits.turns_in_flight", NO_LIMIT.to_string()),
        ("limits.tokens_a_person_and_day", "0".to_owned()),
        ("limits.tokens_a_company_and_day", "0".to_owned()),
    ]);
    flags
}

fn without_rate_limits(ctx: &SetupContext) -> Result<Vec<Bundle>, SetupError> {
    let mut bundles = frontdesk_assistants::all(ctx)?;
    for bundle in &mut bundles {
        bundle.assistant.limits.messages_a_minute = NO_LIMIT;
    }
    Ok(bundles)
}

impl Sandbox {
    /// Opens the app; `model` replaces the configured one.
    pub async fn open(config: Config, model: Option<Arc<dyn Model>>) -> anyhow::Result<Self> {
        let env = Arc::new(SandboxClock(Instant::now()));
        let opening = App::open_with_model(env, config, without_rate_limits, Reach::OwnPort, model);
        let app = Box::pin(opening).await?;
        let mut people = BTreeMap::new();
        for persona in app.runtime.installed().personas() {
            let who = sign_in_persona(app.runtime.store(), app.env.as_ref(), persona).await?;
            people.insert(persona.name.to_string(), who);
        }
        Ok(Self { app, people })
    }

    pub fn people(&self) -> impl Iterator<Item = &str> {
        self.people.keys().map(String::as_str)
    }

    pub fn person(&self, name: &str) -> anyhow::Result<&Principal> {
        let found = self.people.get(name);
        found.with_context(|| format!("there is no demo person named {name}"))
    }

    pub fn assistant(&self, name: &str) -> anyhow::Result<Arc<Assistant>> {
        let found = self.app.runtime.installed().assistant(name).cloned();
        found.with_context(|| format!("there is no assistant named {name}"))
    }

    pub fn offer(&self, assistant: &Assistant, who: &Principal, phase: &Phase) -> Arc<Offer> {
        assistant.toolbox.offer(who, phase)
    }

    /// Starts the conversation of a case with its history.
    pub async fn begin(
        &self,
        assistant: &str,
        case: &Case,
    ) -> anyhow::Result<CaseConversation<'_>> {
        let who = self.person(&case.persona)?.clone();
        let play = self.begin_as(&who, assistant, Map::new()).await?;
        play.insert_history(&case.before, &str::to_owned).await?;
        Ok(play)
    }

    pub async fn begin_as(
        &self,
        who: &Principal,
        assistant: &str,
        metadata: Map<String, Value>,
    ) -> anyhow::Result<CaseConversation<'_>> {
        let new = NewConversationRequest {
            assistant: assistant.to_owned(),
            metadata,
            ..NewConversationRequest::default()
        };
        let conversation = self.app.runtime.start_conversation(who, new).await?;
        Ok(CaseConversation {
            sandbox: self,
            who: who.clone(),
            conversation,
        })
    }
}

pub struct CaseConversation<'a> {
    sandbox: &'a Sandbox,
    who: Principal,
    pub conversation: Conversation,
}

impl CaseConversation<'_> {
    /// Inserts messages and their answers into the history, in these `words`.
    pub async fn insert_history(
        &self,
        before: &[HistoryLine],
        words: &(dyn Fn(&str) -> String + Sync),
    ) -> anyhow::Result<()> {
        for pair in before.chunks(2) {
            if let [HistoryLine::User(user), HistoryLine::Assistant(answer)] = pair {
                self.insert_turn(&words(user), &words(answer)).await?;
            }
        }
        Ok(())
    }

    async fn insert_turn(&self, user: &str, answer: &str) -> anyhow::Result<()> {
        let app = &self.sandbox.app;
        let (env, store) = (&app.env, app.runtime.store());
        let assistant = self.sandbox.assistant(&self.conversation.assistant)?;
        let request = OpenTurn {
            revision: None,
            turn: TurnId::from_uuid(env.id()),
            conversation: self.conversation.id,
            opening: Opening::Message {
                id: MessageId::from_uuid(env.id()),
                content: user.to_owned(),
                metadata: Map::new(),
                attachments: Vec::new(),
            },
            key: None,
            rate: RateLimit {
                bucket: "rehearsal".to_owned(),
                max: NO_LIMIT,
                window: LONG,
            },
            budget: Budget::UNLIMITED,
            in_flight: NO_LIMIT,
            window: assistant.limits.window,
            context: Vec::new(),
            file_texts: Vec::new(),
            node: "rehearsal".to_owned(),
            lease_for: LONG,
            turn_for: LONG,
            now: env.now(),
        };
        let Accepted::Opened(opened) = store.open(&self.who, request).await? else {
            bail!("the history was not stored");
        };
        let id = MessageId::from_uuid(env.id());
        let ended = Event::TurnCompleted(Ended {
            outcome: Outcome::Answered,
            message: Some(id),
            notice: None,
            quick_replies: Vec::new(),
            usage: Usage::default(),
        });
        let last = opened.entries.last().map_or(0, |entry| entry.position);
        let said = Message::assistant(answer);
        let finish = FinishTurn {
            record: Record {
                entries: vec![Entry {
                    position: last + 1,
                    event: ended,
                }],
                now: env.now(),
                ..Record::default()
            },
            outcome: Outcome::Answered,
            answer: Some(Answer {
                id,
                content: answer.to_owned(),
                metadata: Map::new(),
            }),
            lines: vec![TranscriptLine::new(LineKind::Answer, &said)],
            usage: Usage::default(),
        };
        Ok(store.finish(&opened.lease, finish).await?)
    }

    /// Sends a message and waits for its result.
    pub async fn say(&self, turn: &Turn) -> anyhow::Result<MessageResult> {
        Ok(self.say_with_journal(turn).await?.0)
    }

    /// [`Self::say`], with all events of the turn.
    pub async fn say_with_journal(
        &self,
        turn: &Turn,
    ) -> anyhow::Result<(MessageResult, Vec<Entry>)> {
        let began = Instant::now();
        let saying = Saying {
            content: match &turn.paste {
                Some(paste) => format!("{}\n{paste}", turn.say),
                None => turn.say.clone(),
            },
            attachments: self.attach(&turn.files).await?,
            ..Saying::default()
        };
        let runtime = &self.sandbox.app.runtime;
        let person = Line::new(Speaker::Person, &saying.content);
        let mut started = runtime.say(&self.who, self.conversation.id, saying).await?;
        while started.watch.next().await?.is_some() {}
        while turn.approve && self.approve_all(started.turn).await? {
            let id = self.conversation.id;
            let mut watch = runtime.watch(&self.who, id, started.turn, 0).await?;
            while watch.next().await?.is_some() {}
        }
        let journal = self.journal(started.turn).await?;
        let mut result = self.result_of(started.turn, &journal).await?;
        result.lines.insert(0, person);
        result.seconds = began.elapsed().as_secs_f64();
        let is_over = |entry: &Entry| entry.event.ended().is_some();
        if !journal.iter().any(is_over) {
            self.give_up(started.turn).await?;
        }
        Ok((result, journal))
    }

    /// Approves every card that this person may decide; false if there is none.
    async fn approve_all(&self, turn: TurnId) -> anyhow::Result<bool> {
        let runtime = &self.sandbox.app.runtime;
        let id = self.conversation.id;
        let cards = runtime.store().turn(&self.who, id, turn).await?.approvals;
        for card in &cards {
            let decision = Decision::Approved.into();
            runtime
                .decide(&self.who, turn, &card.call_id, decision)
                .await?;
        }
        runtime.take_over_abandoned().await?;
        Ok(!cards.is_empty())
    }

    /// The documents that a turn saved, as Markdown.
    async fn documents(&self, journal: &[Entry]) -> anyhow::Result<Vec<SavedDocument>> {
        let app = &self.sandbox.app;
        let mut made = Vec::new();
        for entry in journal {
            let Event::ArtifactSaved { id, .. } = &entry.event else {
                continue;
            };
            let store = app.runtime.store();
            let artifact = store.artifact(&self.who, self.conversation.id, *id).await?;
            let export = app.exports.get(self.conversation.assistant.as_str());
            let text = export
                .and_then(|export| export(&artifact, ExportFormat::Markdown).ok()?)
                .and_then(|bytes| String::from_utf8(bytes).ok());
            made.push(SavedDocument {
                kind: artifact.kind,
                text: text.unwrap_or_else(|| artifact.content.to_string()),
                content: artifact.content,
            });
        }
        Ok(made)
    }

    /// Everything that the person has written so far.
    async fn material(&self) -> anyhow::Result<Vec<String>> {
        let store = self.sandbox.app.runtime.store();
        let id = self.conversation.id;
        let page = store.messages(&self.who, id, None, MOST_MESSAGES).await?;
        let said = page.items.into_iter();
        Ok(said
            .filter(|message| message.role == Stored::User)
            .map(|message| message.content)
            .collect())
    }

    /// Cancels a turn that waits for another person's decision, so that the conversation can
    /// continue.
    async fn give_up(&self, turn: TurnId) -> anyhow::Result<()> {
        let runtime = &self.sandbox.app.runtime;
        let id = self.conversation.id;
        runtime.cancel(&self.who, id, turn).await?;
        runtime.take_over_abandoned().await?;
        let mut watch = runtime.watch(&self.who, id, turn, 0).await?;
        while watch.next().await?.is_some() {}
        Ok(())
    }

    /// All events of a turn, including internal ones.
    pub async fn journal(&self, turn: TurnId) -> anyhow::Result<Vec<Entry>> {
        let store = self.sandbox.app.runtime.store();
        let id = self.conversation.id;
        Ok(store.entries(&self.who, id, turn, 0).await?)
    }

    async fn attach(&self, names: &[String]) -> anyhow::Result<Vec<AttachmentId>> {
        let runtime = &self.sandbox.app.runtime;
        let mut attached = Vec::new();
        for name in names {
            let upload = Upload {
                id: AttachmentId::from_uuid(self.sandbox.app.env.id()),
                conversation: self.conversation.id,
                name: Some(name.clone()),
                bytes: PICTURE.to_vec(),
                key: None,
            };
            attached.push(runtime.attach(&self.who, upload).await?.id);
        }
        Ok(attached)
    }

    async fn result_of(&self, turn: TurnId, journal: &[Entry]) -> anyhow::Result<MessageResult> {
        let store = self.sandbox.app.runtime.store();
        let mut result = MessageResult::default();
        for entry in journal {
            result.take(&entry.event);
        }
        let status = store.turn(&self.who, self.conversation.id, turn).await?;
        if let Some(answer) = status.agent_message {
            result.cited = cited(&answer.metadata).unwrap_or_default();
            result
                .lines
                .push(Line::new(Speaker::Assistant, &answer.content));
            result.text = answer.content;
        }
        result.documents = self.documents(journal).await?;
        result.material = self.material().await?;
        Ok(result)
    }
}

impl MessageResult {
    fn take(&mut self, event: &Event) {
        if let Some(ended) = event.ended() {
            self.usage = ended.usage;
            if ended.message.is_none() {
                let notice = ended.notice.clone();
                self.failure = Some(notice.unwrap_or_else(|| ended.outcome.as_str().to_owned()));
            }
            return;
        }
        if let Event::ModelReplied { calls, .. } = event {
            for call in calls {
                let said = format!("{} {}", call.name, call.arguments);
                self.lines.push(Line::new(Speaker::Call, said));
                let arguments = serde_json::from_str(&call.arguments).unwrap_or_default();
                self.calls.push((call.name.clone(), arguments));
            }
        } else if let Event::ToolFinished(finished) = event {
            self.lines.push(Line::new(Speaker::Result, &finished.told));
        } else if let Event::ApprovalRequested { card } = event {
            let said = format!("waits for approval: {}", card.title);
            self.lines.push(Line::new(Speaker::Result, said));
        }
    }
}

/// The addresses that an answer cites, as the citation check verified them.
pub fn cited(metadata: &Map<String, Value>) -> Option<Vec<String>> {
    let sources: Vec<Source> = serde_json::from_value(metadata.get("sources")?.clone()).ok()?;
    let review: Review = serde_json::from_value(metadata.get("citations")?.clone()).ok()?;
    Some(review.addresses(&sources))
}
