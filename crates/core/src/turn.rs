//! The state machine of a turn: one user message, from question to outcome. No IO.
//!
//! A turn is a fold over its events. The driver executes the step that [`Turn::next`] returns,
//! journals the event and passes it to [`Turn::apply`]. Resuming after a crash applies the
//! journalled events, so live execution and recovery run the same code.

mod calls;
mod cards;
mod prompt;

use std::collections::HashSet;
use std::sync::Arc;

use bytes::Bytes;
use chrono::{DateTime, Utc};

use crate::access::Principal;
use crate::approval::ApprovalCard;
use crate::assistant::Assistant;
use crate::conversation::Conversation;
use crate::event::{Event, FileRef, Finished};
use crate::grant::{GrantedCall, RefusalReason};
use crate::handle::{self, Handles, TextHandle};
use crate::id::TurnId;
use crate::message::{Message, ToolCall};
use crate::model::{CallSummary, Finish, Usage};
use crate::outcome::Outcome;
use crate::reply::Extras;
use crate::store::{Opened, Opening};
use crate::tool::{Effect, Source};
use crate::transcript::{Line, LineKind};
use crate::untrusted;

use calls::{CallState, Calls, CardDecision};

/// The driver's next action.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// Ask the model with [`Turn::prompt`].
    AskModel,
    /// A person filled in a form: treat this call as a model's reply.
    TakeForm(ToolCall),
    /// Load these pasted texts and pass them to [`Turn::supply`].
    FetchTexts(Vec<u32>),
    /// Answer these calls without running them.
    Refuse(Vec<Finished>),
    /// Run these now: any number of reads, or a single write.
    Run(Vec<Start>),
    /// Request decisions, then stop until all are made.
    RequestApproval(Vec<ApprovalCard>),
    /// Decisions are still missing.
    Wait,
    /// Answer with this text: a form's call has run.
    Say(String),
    End(Outcome),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Start {
    pub call: ToolCall,
    pub granted: GrantedCall,
    pub title: String,
    pub effect: Effect,
    /// The call started before a crash and runs again.
    pub again: bool,
}

pub struct Turn {
    id: TurnId,
    assistant: Arc<Assistant>,
    principal: Arc<Principal>,
    conversation: Conversation,
    opening: Opening,
    /// False if a colleague retries another person's message.
    message_is_own: bool,
    /// Colleagues' text reached the model: this message, or earlier ones of a shared conversation.
    colleagues_words: bool,
    system: Bytes,
    history: Bytes,
    history_has_results: bool,
    handles: Handles,
    /// Texts requested so far, found or not.
    fetched: HashSet<u32>,
    texts: ShownTexts,
    /// This turn's messages, joined.
    tail: Vec<u8>,
    /// The lines that this turn appends to the transcript.
    lines: Vec<Line>,
    rounds: u32,
    /// Token limit: the smaller of the assistant's limit and the rest of the day's budget.
    allowance: u64,
    calls: Calls,
    used_ids: HashSet<String>,
    /// Tools called with invalid arguments, with the round.
    invalid: HashSet<(String, u32)>,
    /// Number of replies with calls that were cut off.
    cut_replies: u32,
    /// Text of others reached the model in this turn: a result, a text or file of the person, or
    /// the facts of a context loader.
    untrusted_text: bool,
    approvals_asked: usize,
    /// Text shown to watchers since the last reset.
    shown: String,
    /// The text of finished replies; a reset does not remove it.
    settled: String,
    summaries: Vec<CallSummary>,
    /// Files that calls created.
    files: Vec<FileRef>,
    sources: Vec<Source>,
    usage: Usage,
    last_reply: Option<LastReply>,
    /// Structured fields of the newest reply.
    extras: Extras,
}

/// How much of people's texts the model sees.
#[derive(Clone, Debug, Default)]
struct ShownTexts {
    /// Texts that this turn's message announces and the prompt does not yet show in full.
    own: Vec<u32>,
    /// Token limit for them; 0 for a model that cannot read texts.
    max_tokens: u32,
    /// True if the model sees some text only as an announcement and may need to read it.
    partial: bool,
}

/// The end of the model's newest reply.
#[derive(Clone, Debug)]
struct LastReply {
    had_calls: bool,
    blank: bool,
    finish: Finish,
}

/// Maximum number of rounds with invalid arguments per tool and turn.
const REPAIR_ROUNDS: usize = 2;

impl Turn {
    /// Opens a turn and applies its journalled events.
    pub fn new(assistant: Arc<Assistant>, opened: Opened) -> Self {
        let history_has_results = opened.history.has_results();
        let system = assistant.system_message(&opened.conversation.phase);
        let allowance = opened.allowance.unwrap_or(u64::MAX);
        let author = opened.user_message.author.as_ref();
        let message_is_own = author.is_none_or(|author| author.id == opened.principal.profile());
        let speaker_changed = opened.tail.iter().any(Line::is_speaker);
        let mut turn = Self {
            id: opened.lease.turn,
            message_is_own,
            colleagues_words: !message_is_own
                || opened.history.last_speaker().is_some()
                || (speaker_changed && !opened.history.is_empty()),
            principal: Arc::new(opened.principal),
            conversation: opened.conversation,
            opening: opened.opening,
            system,
            history: opened.history.into_bytes(),
            history_has_results,
            handles: opened.handles,
            fetched: HashSet::new(),
            texts: ShownTexts::default(),
            tail: Vec::with_capacity(1024),
            lines: Vec::new(),
            rounds: 0,
            allowance: allowance.min(assistant.limits.tokens_a_turn),
            calls: Calls::default(),
            used_ids: HashSet::new(),
            invalid: HashSet::new(),
            cut_replies: 0,
            untrusted_text: false,
            approvals_asked: 0,
            shown: String::new(),
            settled: String::new(),
            summaries: Vec::new(),
            files: Vec::new(),
            sources: Vec::new(),
            usage: Usage::default(),
            last_reply: None,
            extras: Extras::default(),
            assistant,
        };
        for line in &opened.tail {
            turn.join(line);
        }
        turn.texts.own = prompt::announced_in(&turn.tail);
        turn.untrusted_text = !turn.texts.own.is_empty() || turn.is_told_foreign_text(&opened.tail);
        turn.texts.partial = opened.text_count > turn.texts.own.len() as u64;
        for entry in &opened.entries {
            turn.apply(&entry.event);
        }
        turn
    }

    /// Whether what was looked up for this turn may hold text that others wrote.
    fn is_told_foreign_text(&self, tail: &[Line]) -> bool {
        let is_lookup = |line: &Line| line.kind == LineKind::Context && !line.is_speaker();
        let mut loaders = self.assistant.context.iter();
        tail.iter().any(is_lookup) && loaders.any(|loader| loader.holds_foreign_text())
    }

    /// Shows the texts of this turn's message in full, within this limit.
    pub fn show_texts(&mut self, max_tokens: u32) {
        self.texts.max_tokens = max_tokens;
    }

    /// Returns the next step. Changes nothing.
    pub fn next(&self, now: DateTime<Utc>) -> Step {
        let step = self.next_step(now);
        let unseen = self.texts.max_tokens > 0 && !self.texts.own.is_empty();
        if step == Step::AskModel && unseen {
            return Step::FetchTexts(self.texts.own.clone());
        }
        step
    }

    fn next_step(&self, now: DateTime<Utc>) -> Step {
        if self.calls.any_unknown() {
            // A person must check the unknown write before anything else happens.
            return Step::End(Outcome::Interrupted);
        }
        if !self.calls.all_answered() {
            return self.next_call(now);
        }
        let Some(last) = &self.last_reply else {
            return match &self.opening {
                Opening::Form {
                    tool, arguments, ..
                } => Step::TakeForm(form_call(tool, arguments)),
                Opening::Message { .. } | Opening::Retry { .. } => Step::AskModel,
            };
        };
        if last.had_calls {
            return self.after_round();
        }
        if last.finish == Finish::ContentFilter {
            return Step::End(Outcome::Refused);
        }
        if last.blank {
            return Step::End(Outcome::EmptyAnswer);
        }
        Step::End(Outcome::Answered)
    }

    fn after_round(&self) -> Step {
        if let Some(outcome) = self.outcome_of_cut_reply() {
            return Step::End(outcome);
        }
        if let Opening::Form { .. } = &self.opening {
            let summary: Vec<&str> = self.summaries.iter().map(|s| s.summary.as_str()).collect();
            let summary = summary.join("\n");
            return Step::Say(match untrusted::is_blank(&summary) {
                true => DONE.to_owned(),
                false => summary,
            });
        }
        if self.rounds > self.assistant.limits.rounds {
            return Step::End(Outcome::OutOfRounds);
        }
        if self.usage.total() >= self.allowance {
            return Step::End(Outcome::OutOfBudget);
        }
        Step::AskModel
    }

    /// A reply that was cut by length is requested once more; a filtered one is not.
    fn outcome_of_cut_reply(&self) -> Option<Outcome> {
        let last = self.last_reply.as_ref()?;
        if !last.had_calls || last.finish.is_complete() {
            None
        } else if last.finish == Finish::ContentFilter {
            Some(Outcome::Refused)
        } else {
            (self.cut_replies > 1).then_some(Outcome::CutOff)
        }
    }

    /// Applies an event, live or from the journal.
    pub fn apply(&mut self, event: &Event) {
        match event {
            Event::TurnStarted { .. } | Event::ToolProgress { .. } | Event::DraftDelta { .. } => {}
            Event::TextDelta { text } => self.shown.push_str(text),
            Event::TextReset { .. } => self.shown.clear(),
            Event::ModelReplied {
                text,
                calls,
                finish,
                usage,
                extras,
                proposes,
                ..
            } => {
                self.extras.clone_from(extras);
                self.model_replied(text, calls, finish, *usage);
                self.calls.proposes = *proposes;
            }
            Event::ToolStarted {
                call_id, effect, ..
            } => self.calls.set(call_id, CallState::Started(*effect)),
            Event::ToolFinished(finished) => self.tool_finished(finished),
            Event::ApprovalRequested { card } => {
                self.approvals_asked += 1;
                self.calls.request(card);
            }
            Event::ApprovalDecided {
                call_id,
                decision,
                by,
                arguments,
                state,
                ..
            } => {
                let decided = CardDecision {
                    decision: *decision,
                    by: by.clone(),
                    state: state.clone(),
                };
                self.calls.decide(call_id, decided);
                if let Some(arguments) = arguments {
                    self.calls.edit(self.id, call_id, arguments);
                }
            }
            Event::ArtifactSaved { mark, .. } => {
                self.conversation.progress.note_artifact(mark.clone());
            }
            Event::PhaseChanged(change) => {
                self.conversation.phase = change.to.clone();
                self.system = self.assistant.system_message(&change.to);
            }
            Event::SourceCited { source } => self.sources.push(source.clone()),
            // A turn that can continue still has its single events.
            Event::Snapshot(_)
            | Event::TurnCompleted(_)
            | Event::TurnFailed(_)
            | Event::TurnCancelled(_)
            | Event::TurnInterrupted(_) => {}
        }
    }

    fn model_replied(&mut self, text: &str, calls: &[ToolCall], finish: &Finish, usage: Usage) {
        self.usage = self.usage.plus(usage);
        self.settled.clone_from(&self.shown);
        let blank = untrusted::is_blank(text);
        self.last_reply = Some(LastReply {
            had_calls: !calls.is_empty(),
            blank,
            finish: finish.clone(),
        });
        // Servers reject messages without visible text.
        let content = (!blank).then(|| text.to_owned());
        if calls.is_empty() {
            if content.is_some() {
                self.add(LineKind::Answer, &Message::calls(content, Vec::new()));
            }
            return;
        }
        self.rounds += 1;
        self.used_ids
            .extend(calls.iter().map(|call| call.id.clone()));
        let presentable = calls.iter().map(prompt::presentable).collect();
        self.add(LineKind::Calls, &Message::calls(content, presentable));
        self.calls = Calls::new(calls);
        self.calls.after_untrusted = self.untrusted_text;
        if !finish.is_complete() {
            self.calls.cut = true;
            self.cut_replies += 1;
        }
    }

    fn tool_finished(&mut self, finished: &Finished) {
        self.calls.answer(finished);
        // A refusal is our own text.
        self.untrusted_text |= finished.refused.is_none();
        self.usage = self.usage.plus(finished.usage.unwrap_or_default());
        if finished.refused == Some(RefusalReason::InvalidArguments) {
            self.invalid.insert((finished.name.clone(), self.rounds));
        }
        if finished.ok {
            self.conversation
                .progress
                .tools_done
                .insert(finished.name.clone());
        }
        self.files.extend(finished.files.iter().cloned());
        self.summaries.push(CallSummary {
            call_id: finished.call_id.clone(),
            name: finished.name.clone(),
            ok: finished.ok,
            summary: finished.summary.clone(),
        });
        let result = Message::tool(
            finished.call_id.clone(),
            prompt::function_name(&finished.name),
            finished.told.clone(),
        );
        self.add(LineKind::Result, &result);
    }

    fn add(&mut self, kind: LineKind, message: &Message) {
        let line = Line::new(kind, message);
        self.join(&line);
        self.lines.push(line);
    }

    fn join(&mut self, line: &Line) {
        if !self.tail.is_empty() {
            self.tail.push(b',');
        }
        self.tail.extend_from_slice(line.wire.as_bytes());
    }

    /// Receives the texts requested by [`Step::FetchTexts`].
    pub fn supply(&mut self, asked: &[u32], found: Handles) {
        let known: HashSet<u32> = self.handles.texts.iter().map(|text| text.number).collect();
        let new = found.texts.into_iter();
        let new = new.filter(|text| !known.contains(&text.number));
        self.handles.texts.extend(new);
        self.fetched.extend(asked);
        if !self.texts.own.is_empty() && self.texts.own.iter().all(|own| asked.contains(own)) {
            self.show_own_texts();
        }
    }

    /// Puts the texts of this turn's message at the start of the turn. They are not part of the
    /// transcript: later turns see their announcement.
    fn show_own_texts(&mut self) {
        let own = std::mem::take(&mut self.texts.own);
        let texts: Vec<TextHandle> = self
            .handles
            .texts
            .iter()
            .filter(|text| own.contains(&text.number))
            .cloned()
            .collect();
        let Some(full) = handle::full_texts(&texts, self.texts.max_tokens) else {
            return;
        };
        self.texts.partial |= full.cut;
        let message = Message::user(full.message).to_openai_format().to_string();
        let mut tail = message.into_bytes();
        if !self.tail.is_empty() {
            tail.push(b',');
        }
        tail.append(&mut self.tail);
        self.tail = tail;
    }
}

/// The answer for a form whose tool has no summary.
const DONE: &str = "Done.";

const FORM_CALL_ID: &str = "form";

fn form_call(tool: &str, arguments: &serde_json::Map<String, serde_json::Value>) -> ToolCall {
    ToolCall {
        id: FORM_CALL_ID.to_owned(),
        name: tool.to_owned(),
        arguments: serde_json::Value::Object(arguments.clone()).to_string(),
    }
}

#[cfg(test)]
#[path = "turn_tests.rs"]
mod turn_tests;
