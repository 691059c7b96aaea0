//! Runs granted calls and records their results.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::{Either, join_all, select};
use serde_json::{Value, json};
use tokio::sync::mpsc;

use super::Driver;
use super::relay::Relay;
use crate::artifact::{Artifact, Author, NewArtifact};
use crate::draft::DraftSignal;
use crate::event::{Event, FileRef, Finished};
use crate::id::{ArtifactId, AttachmentId};
use crate::model::Usage;
use crate::outcome::Outcome;
use crate::phase::PhaseChange;
use crate::store::{AuditOutcome, NewAudit, Record, SavedFile, Saves, StoreError};
use crate::tool::{
    Drafts, Effect, ProducedFile, ToolContext, ToolError, ToolErrorKind, ToolOutput, ToolSetting,
};
use crate::turn::Start;
use crate::untrusted;

struct FinishedCall {
    start: Start,
    result: Result<ToolOutput, ToolError>,
    duration: Duration,
    /// Usage of a model within the call.
    usage: Option<Usage>,
}

struct CallRecord {
    events: Vec<Event>,
    saves: Saves,
    quick_replies: Vec<String>,
}

impl Driver<'_> {
    /// Runs reads concurrently, or one write. The inner error is the turn's outcome instead.
    pub(super) async fn run_calls(
        &mut self,
        starts: Vec<Start>,
    ) -> Result<Result<(), Outcome>, StoreError> {
        let writes = starts.iter().any(|start| start.effect.writes());
        // A transactional call takes effect only with its record, so it can be dropped.
        let leaves_doubt = starts.iter().any(|start| start.effect.leaves_doubt());
        for start in starts.iter().filter(|start| !start.again) {
            self.note_other_name(start);
            self.emit(Event::ToolStarted {
                call_id: start.call.id.clone(),
                name: start.granted.name().to_owned(),
                title: start.title.clone(),
                arguments: Value::Object(start.granted.arguments().clone()),
                effect: start.effect,
            });
        }
        if writes {
            // Journalled before it starts, so that a crash cannot hide it.
            self.recorder.flush().await?;
        }
        let ran = {
            let running = join_all(starts.into_iter().map(|start| self.run_one(start)));
            let stopped = std::pin::pin!(self.stopped());
            if leaves_doubt {
                // A write that may take effect is never abandoned: its timeout ends it.
                running.await
            } else {
                // Journal the start meanwhile, so that new watchers see the running call.
                match self.flushing_meanwhile(select(running, stopped)).await? {
                    Either::Left((ran, _)) => ran,
                    Either::Right((outcome, _)) => return Ok(Err(outcome)),
                }
            }
        };
        for ran in ran {
            self.take_result(ran).await?;
        }
        Ok(Ok(()))
    }

    /// Logs a call whose arguments name another person; the grant ignored that name.
    fn note_other_name(&self, start: &Start) {
        let def = self.turn.assistant().toolbox.get(start.granted.name());
        let Some(own) = def.and_then(|def| def.spec.own_name.as_deref()) else {
            return;
        };
        let given = start.call.parse_arguments().unwrap_or_default();
        let given = given.get(own);
        if given.is_some_and(|given| start.granted.arguments().get(own) != Some(given)) {
            tracing::warn!(
                tool = start.granted.name(),
                call.id = start.call.id,
                profile = %self.turn.principal().profile(),
                "another name than the signed-in person's was given and ignored"
            );
        }
    }

    async fn run_one(&self, start: Start) -> FinishedCall {
        let began = self.engine.env.now();
        let (sentences, mut progress) = mpsc::unbounded_channel();
        let (signals, mut signalled) = mpsc::unbounded_channel();
        let ctx = ToolContext::new(ToolSetting {
            principal: Arc::clone(self.turn.principal()),
            conversation: Arc::new(self.turn.conversation().clone()),
            handles: Arc::new(self.turn.handles().clone()),
            artifacts: Arc::clone(&self.engine.artifacts),
            attachments: Arc::clone(&self.engine.attachments),
            turn: self.turn.id(),
            call_id: start.call.id.clone(),
            now: began,
            said: self.turn.said(),
            progress: Some(sentences),
            drafts: self.drafts(signals),
        });
        let toolbox = &self.turn.assistant().toolbox;
        let spec = toolbox.get(start.granted.name()).map(|def| &def.spec);
        let ctx = match spec {
            Some(spec) if spec.gets_user_text => ctx.with_words(self.turn.words()),
            Some(_) | None => ctx,
        };
        let timeout = spec.map_or(Duration::ZERO, |spec| spec.timeout);
        let timeout = timeout.min(self.time_left());
        let call = AssertUnwindSafe(toolbox.run(ctx, start.granted.clone()))
            .catch_unwind()
            .map(|result| result.unwrap_or_else(|_| Err(no_result(start.effect, "it panicked"))));
        let relay = Relay::new(self, &start.call.id);
        let result = {
            let call = std::pin::pin!(call);
            let relay = std::pin::pin!(relay.pass_on(&mut progress, &mut signalled));
            let call = select(call, self.engine.env.sleep(timeout));
            match select(call, relay).await {
                Either::Left((Either::Left((result, _)), _)) => result,
                Either::Left((Either::Right(_), _)) => Err(no_result(start.effect, "it timed out")),
                Either::Right((never, _)) => match never {},
            }
        };
        relay.pass_on_rest(&mut progress, &mut signalled);
        let usage = relay.usage();
        let duration = (self.engine.env.now() - began).to_std().unwrap_or_default();
        FinishedCall {
            start,
            result,
            duration,
            usage,
        }
    }

    fn drafts(&self, signals: mpsc::UnboundedSender<DraftSignal>) -> Option<Drafts> {
        self.model.can_draft().then(|| Drafts {
            model: Arc::clone(&self.model),
            assistant: self.turn.assistant().name.to_string(),
            settings: self.turn.assistant().model.clone(),
            tokens: self.turn.tokens_left(),
            signals,
        })
    }

    async fn take_result(&mut self, ran: FinishedCall) -> Result<(), StoreError> {
        let effect = ran.start.effect;
        let arguments = Value::Object(ran.start.granted.arguments().clone());
        let mut audit = NewAudit {
            call_id: ran.start.call.id.clone(),
            tool: ran.start.granted.name().to_owned(),
            // The arguments that ran, as on a card, not those that the model wrote.
            target: self.turn.target_of(ran.start.granted.name(), &arguments),
            outcome: audit_outcome(&ran.result),
            approver: None,
        };
        let mut call = match ran.result {
            Ok(output) => self.keep(&ran.start, output, ran.duration),
            Err(error) => failed(&ran.start, error, ran.duration),
        };
        note_usage(&mut call.events, ran.usage);
        if !effect.writes() && call.saves.changes.is_empty() {
            self.turn
                .remember(&call.saves.metadata, call.saves.title.as_deref());
            self.recorder.save(|saves| saves.merge(call.saves));
            self.suggest(call.quick_replies);
            call.events.into_iter().for_each(|event| self.emit(event));
            return Ok(());
        }
        let (metadata, title) = (call.saves.metadata.clone(), call.saves.title.clone());
        let record = Record {
            saves: call.saves,
            audit: vec![audit.clone()],
            ..Record::default()
        };
        match self.recorder.commit(call.events.clone(), record).await {
            Ok(()) => {
                self.turn.remember(&metadata, title.as_deref());
                self.suggest(call.quick_replies);
                call.events.iter().for_each(|event| self.turn.apply(event));
                Ok(())
            }
            Err(StoreError::ChangeRefused(why)) => {
                audit.outcome = AuditOutcome::Failed;
                let mut refusal = failed(&ran.start, ToolError::refused(why), ran.duration);
                note_usage(&mut refusal.events, ran.usage);
                let record = Record {
                    audit: vec![audit],
                    ..Record::default()
                };
                self.recorder.commit(refusal.events.clone(), record).await?;
                refusal
                    .events
                    .iter()
                    .for_each(|event| self.turn.apply(event));
                Ok(())
            }
            Err(lost) => Err(lost),
        }
    }

    /// The newest suggestions replace earlier ones; an empty list replaces nothing.
    pub(super) fn suggest(&mut self, replies: Vec<String>) {
        if !replies.is_empty() {
            self.quick_replies = replies;
        }
    }

    /// Assigns ids and versions to a call's products and builds its events.
    fn keep(&self, start: &Start, output: ToolOutput, duration: Duration) -> CallRecord {
        let outbox = output.outbox;
        let mut saves = Saves {
            changes: outbox.changes,
            metadata: outbox.metadata,
            title: outbox.title,
            ..Saves::default()
        };
        let files = self.keep_files(outbox.files, &mut saves);
        let mut events = self.keep_artifacts(start, outbox.artifacts, &mut saves);
        let from = self.turn.conversation().phase.clone();
        if let Some((to, reason)) = outbox.phase
            && to != from
        {
            let change = PhaseChange { from, to, reason };
            saves.phase.push(change.clone());
            events.push(Event::PhaseChanged(change));
        }
        let sources = outbox.sources.into_iter();
        events.extend(sources.map(|source| Event::SourceCited { source }));
        let told = untrusted::for_model(&output.result);
        // Last: a call is finished after all its other events.
        events.push(Event::ToolFinished(Finished {
            call_id: start.call.id.clone(),
            name: start.granted.name().to_owned(),
            ok: true,
            summary: for_people(output.summary),
            result: untrusted::for_card(output.result, &told),
            told,
            files,
            cards: outbox.cards,
            duration_ms: millis(duration),
            ..Finished::default()
        }));
        CallRecord {
            events,
            saves,
            quick_replies: short_replies(&outbox.quick_replies),
        }
    }

    fn keep_files(&self, files: Vec<ProducedFile>, saves: &mut Saves) -> Vec<FileRef> {
        files
            .into_iter()
            .map(|file| {
                let id = AttachmentId::from_uuid(self.engine.env.id());
                let file_ref = FileRef {
                    id,
                    name: file.name.clone(),
                    media_type: file.media_type.clone(),
                };
                saves.files.push(SavedFile {
                    id,
                    name: file.name,
                    media_type: file.media_type,
                    bytes: file.bytes,
                });
                file_ref
            })
            .collect()
    }

    fn keep_artifacts(
        &self,
        start: &Start,
        artifacts: Vec<NewArtifact>,
        saves: &mut Saves,
    ) -> Vec<Event> {
        let mut events = Vec::new();
        let mut progress = self.turn.conversation().progress.clone();
        for new in artifacts {
            let mark = progress.next_mark(&new);
            let id = ArtifactId::from_uuid(self.engine.env.id());
            events.push(Event::ArtifactSaved {
                id,
                mark: mark.clone(),
                title: new.title.clone(),
            });
            saves.artifacts.push(Artifact {
                id,
                conversation: self.turn.conversation().id,
                kind: new.kind,
                key: new.key,
                version: mark.version,
                status: new.status,
                title: new.title,
                content: new.content,
                built_from: new.built_from,
                author: Some(Author::of(self.turn.principal())),
                created_at: self.engine.env.now(),
            });
            progress.note_artifact(mark);
        }
        progress.tools_done.insert(start.granted.name().to_owned());
        saves.progress = Some(progress);
        events
    }
}

/// A tool's sentence, with the same limits as its result for the model.
fn for_people(sentence: String) -> String {
    untrusted::for_model(&Value::String(sentence))
}

/// Quick replies are buttons: few, short, and without invisible characters.
pub(super) fn short_replies(replies: &[String]) -> Vec<String> {
    const MOST: usize = 4;
    const LONGEST_CHARS: usize = 80;
    replies
        .iter()
        .filter(|reply| !untrusted::is_blank(reply))
        .map(|reply| {
            untrusted::clean(reply)
                .0
                .chars()
                .take(LONGEST_CHARS)
                .collect()
        })
        .take(MOST)
        .collect()
}

fn failed(start: &Start, error: ToolError, duration: Duration) -> CallRecord {
    if let Some(cause) = &error.cause {
        let tool = start.granted.name();
        tracing::error!(
            tool,
            call.id = start.call.id,
            "Tool '{tool}' failed: {cause}"
        );
    }
    let told = match &error.details {
        None => format!("Error: {}", error.message),
        Some(details) => json!({ "error": error.message, "details": details }).to_string(),
    };
    let finished = Finished {
        call_id: start.call.id.clone(),
        name: start.granted.name().to_owned(),
        ok: false,
        told: untrusted::for_model(&Value::String(told)),
        summary: for_people(error.message),
        result: error.details.unwrap_or(Value::Null),
        error: Some(error.kind),
        duration_ms: millis(duration),
        ..Finished::default()
    };
    CallRecord {
        events: vec![Event::ToolFinished(finished)],
        saves: Saves {
            metadata: error.remembered,
            ..Saves::default()
        },
        quick_replies: Vec::new(),
    }
}

/// Adds the model usage to the event that ends the call, because the turn counts it there.
fn note_usage(events: &mut [Event], usage: Option<Usage>) {
    if let Some(Event::ToolFinished(finished)) = events.last_mut() {
        finished.usage = usage;
    }
}

/// The error of a call without a result. It claims that nothing changed only if that is certain.
fn no_result(effect: Effect, how: &'static str) -> ToolError {
    if effect.leaves_doubt() {
        ToolError::unknown(how)
    } else {
        ToolError::failed(how)
    }
}

fn audit_outcome(result: &Result<ToolOutput, ToolError>) -> AuditOutcome {
    match result {
        Ok(_) => AuditOutcome::Executed,
        Err(error) => match error.kind {
            ToolErrorKind::Refused | ToolErrorKind::Invalid | ToolErrorKind::Failed => {
                AuditOutcome::Failed
            }
            ToolErrorKind::Unknown => AuditOutcome::Unknown,
        },
    }
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
