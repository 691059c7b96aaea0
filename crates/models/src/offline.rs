//! The offline model: deterministic, made of what the tools declare about themselves.
//!
//! It ranks the offered tools by the words of a request (`rank`), takes the arguments
//! from the request by their schemas (`fill`), asks for what is missing (`question`) and
//! tells results (`say`). It keeps no state between calls: an open request is rebuilt
//! from the messages (`pending`). It never makes up a value, and never writes without an
//! order in so many words.

mod check;
mod cues;
mod dialogue;
mod elsewhere;
mod fill;
mod follow;
mod index;
mod language;
mod learned;
mod lexicon;
mod meaning;
mod mood;
mod near;
mod param;
mod pending;
mod phrases;
mod plan;
mod question;
mod quick;
mod rank;
mod reading;
mod recall;
mod requests;
mod say;
mod similarity;
mod spans;
mod tongue;
mod values;
mod words;

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use async_trait::async_trait;
use frontdesk_core::embed::Embedder;
use frontdesk_core::message::ToolCall;
use frontdesk_core::model::{Ask, DeltaSink, Finish, Model, ModelError, Prompt, Reply, Usage};
use frontdesk_core::tool::NO_SUMMARY;
use serde_json::Value;

pub use check::{Mismatch, check_examples};
pub use language::Language;

use dialogue::{Dialogue, Entry, is_error};
use index::{Index, IndexCache};
use meaning::{Known, Sense, Vectors};
use plan::{Mind, Step};

/// How sure the model must be, and what it speaks when that does not show.
#[derive(Clone, Debug, PartialEq)]
pub struct OfflineSettings {
    /// The language of the fixed phrases where the person's does not show.
    pub language: Language,
    /// How much better than the next a tool that reads must fit.
    pub read_margin: f32,
    /// The same for one that drafts a document beside those that are there.
    pub draft_margin: f32,
    /// The same for any other tool that writes.
    pub write_margin: f32,
    /// From this nearness on, a request means what an example of a tool means.
    pub same_meaning: f32,
    /// From here on it is worth asking.
    pub like_meaning: f32,
    /// Tools that lie nearer to each other than this cannot be told apart by meaning.
    pub close_meaning: f32,
    /// What it counts that a tool lies so much farther from the request than the nearest one.
    pub meaning_weight: f32,
    /// So much nearer to talk than to any tool, a message without an order asks for nothing.
    pub talk_margin: f32,
    /// How many messages of the history are looked at.
    pub recent_messages: usize,
}

impl Default for OfflineSettings {
    fn default() -> Self {
        Self {
            language: Language::English,
            read_margin: 0.03,
            draft_margin: 0.10,
            write_margin: 0.15,
            same_meaning: 0.55,
            like_meaning: 0.45,
            close_meaning: 0.07,
            meaning_weight: 0.6,
            talk_margin: 0.1,
            recent_messages: 40,
        }
    }
}

/// The name by which the model answers.
pub const MODEL_NAME: &str = "offline";

#[derive(Default)]
pub struct OfflineModel {
    settings: OfflineSettings,
    indexes: IndexCache,
    sense: Option<Sense>,
}

/// A decision looks for vectors so often: first for the examples and the request, then for
/// parts of it.
const MOST_LOOKUPS: usize = 3;

impl OfflineModel {
    pub fn new(settings: OfflineSettings) -> Self {
        Self {
            settings,
            indexes: IndexCache::default(),
            sense: None,
        }
    }

    /// Lets it go by meaning where words do not decide. The embedding model must know
    /// English; requests in other languages go by words alone.
    pub fn with_embedder(mut self, embedder: Arc<dyn Embedder>) -> Self {
        self.sense = Some(Sense::new(embedder));
        self
    }

    /// What to do and to say, by words and, where these leave it open, by meaning.
    async fn decided(&self, ask: &Ask<'_>) -> Reply {
        let Some(sense) = &self.sense else {
            return self.decide(ask, None);
        };
        let mut known = Known::new();
        for _ in 0..MOST_LOOKUPS {
            let vectors = Vectors::new(&known);
            let reply = self.decide(ask, Some(&vectors));
            let wanted = vectors.wanted();
            if wanted.is_empty() {
                return reply;
            }
            if let Err(error) = sense.supply(&mut known, wanted).await {
                tracing::warn!(error.message = %error, "no vectors; words alone decide");
                return self.decide(ask, None);
            }
        }
        self.decide(ask, Some(&Vectors::new(&known)))
    }

    /// Pure, so that streaming it is all that is left to do.
    fn decide(&self, ask: &Ask<'_>, vectors: Option<&Vectors<'_>>) -> Reply {
        let index = self.indexes.of(ask.offer);
        let mut dialogue = Dialogue::read(&ask.prompt, self.settings.recent_messages);
        if index.takes_long_text() {
            dialogue = dialogue.part_blocks(&|line| index.is_order(line));
        }
        let language = spoken(&index, &dialogue).unwrap_or(self.settings.language);
        let mind = Mind {
            index: &index,
            dialogue: &dialogue,
            settings: &self.settings,
            language,
            vectors,
        };
        let steps = mind.plan();
        let failed = dialogue
            .done
            .iter()
            .any(|done| done.result.as_deref().is_some_and(is_error));
        let rest = remaining(&mind, &steps)
            .filter(|_| !failed)
            .unwrap_or_default();
        let calls = next_calls(&mind, rest, call_id(&ask.prompt));
        let text = match rest.first() {
            _ if !calls.is_empty() => String::new(),
            Some(Step::Say(words)) if dialogue.done.is_empty() => words.clone(),
            Some(Step::Say(words)) => format!("{}\n\n{words}", told(ask, &dialogue, language)),
            Some(Step::Call { .. }) | None => {
                let left = steps.len() > dialogue.done.len() && failed;
                let told = told(ask, &dialogue, language);
                if left {
                    format!("{told}\n\n{}", language.phrases().stopped)
                } else {
                    told
                }
            }
        };
        let quick_replies = quick::replies(&text, &index, language);
        Reply {
            text,
            finish: if calls.is_empty() {
                Finish::Stop
            } else {
                Finish::ToolCalls
            },
            calls,
            // Nothing was spent.
            usage: Some(Usage::default()),
            model: Some(MODEL_NAME.to_owned()),
            quick_replies,
            proposes: false,
        }
    }
}

#[async_trait]
impl Model for OfflineModel {
    fn can_draft(&self) -> bool {
        false
    }

    async fn reply(&self, ask: Ask<'_>, sink: &mut dyn DeltaSink) -> Result<Reply, ModelError> {
        let reply = self.decided(&ask).await;
        for chunk in reply.text.split_inclusive(char::is_whitespace) {
            sink.text(chunk);
            // Whoever wants to stop the reply gets the chance after each word.
            tokio::task::yield_now().await;
        }
        Ok(reply)
    }
}

/// The language of the newest message in which one shows.
fn spoken(index: &Index, dialogue: &Dialogue) -> Option<Language> {
    let entries = dialogue.before.iter().rev();
    let before = entries.filter_map(|entry| match entry {
        Entry::Person(said) => Some(said.text.as_str()),
        Entry::Answer(_) | Entry::Call(_) => None,
    });
    let before = before.into_iter().find_map(Language::of);
    let said = dialogue.said.as_ref();
    said.and_then(|said| index.tongues.of(&said.text, before))
        .or(before)
}

/// The steps that are not done yet; `None` when what was done is not the plan's
/// beginning, because the tools have changed under it.
fn remaining<'s>(mind: &Mind<'_>, steps: &'s [Step]) -> Option<&'s [Step]> {
    let done = &mind.dialogue.done;
    let planned = steps.get(..done.len())?;
    let same = planned.iter().zip(done).all(|(step, done)| match step {
        Step::Call { tool, .. } => mind.tool(*tool).name == done.name,
        Step::Say(_) => false,
    });
    same.then(|| &steps[done.len()..])
}

/// The calls to make now: one that writes, or reads that do not depend on each other.
fn next_calls(mind: &Mind<'_>, steps: &[Step], id: u64) -> Vec<ToolCall> {
    let mut calls: Vec<ToolCall> = Vec::new();
    for step in steps {
        let Step::Call {
            tool,
            arguments,
            settled,
        } = step
        else {
            break;
        };
        let writes = mind.tool(*tool).writes;
        if !calls.is_empty() && (writes || !settled) {
            break;
        }
        calls.push(ToolCall {
            id: format!("call_{id:016x}_{}", calls.len() + 1),
            name: mind.tool(*tool).name.clone(),
            arguments: Value::Object(arguments.clone()).to_string(),
        });
        if writes {
            break;
        }
    }
    calls
}

/// What came of the calls: in the tool's own words where it has some, else the facts.
fn told(ask: &Ask<'_>, dialogue: &Dialogue, language: Language) -> String {
    let asked = dialogue.said.as_ref().map_or("", |said| said.text.as_str());
    let parts: Vec<String> = dialogue
        .done
        .iter()
        .map(|done| {
            let own = ask
                .summaries
                .iter()
                .find(|summary| summary.call_id == done.id && summary.ok)
                .map(|summary| summary.summary.as_str())
                .filter(|words| *words != NO_SUMMARY);
            match own {
                Some(words) => words.to_owned(),
                None => say::results(std::slice::from_ref(done), asked, language),
            }
        })
        .collect();
    parts.join("\n\n")
}

/// Ids that differ from those of other turns, and are the same for the same prompt.
fn call_id(prompt: &Prompt<'_>) -> u64 {
    const ENDING: usize = 4_096;
    let mut hasher = DefaultHasher::new();
    let history = prompt.history.as_ref();
    history.len().hash(&mut hasher);
    history[history.len().saturating_sub(ENDING)..].hash(&mut hasher);
    prompt.tail.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests;
