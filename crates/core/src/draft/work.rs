//! One draft, from request to checked content.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};

use jsonschema::Validator;
use serde_json::Value;
use tokio::sync::mpsc;

use super::check::{Checked, check};
use super::preview::Preview;
use super::request::{Messages, messages};
use super::{Draft, DraftError, DraftRecord, DraftSignal, LeftOut};
use crate::grounding::Evidence;
use crate::model::{Ask, DeltaSink, Finish, ModelError, ModelSettings, Prompt, Reply, Usage};
use crate::reply;
use crate::tool::Drafts;
use crate::toolbox::{Offer, Toolbox};
use crate::transcript::tokens_in;

/// Token limit of a reply; fits a document of a few pages.
const MAX_TOKENS: u32 = 6_000;

static NO_TOOLS: LazyLock<Arc<Offer>> = LazyLock::new(|| Toolbox::default().no_offer());

/// Requests drafts for one call.
pub(crate) struct Drafter {
    drafts: Drafts,
    /// The rest of the call's token budget.
    tokens_left: AtomicU64,
}

/// A parsed answer and the result of its check.
struct Attempt {
    checked: Checked,
    problems: Vec<String>,
}

impl Drafter {
    pub(crate) fn new(drafts: Drafts) -> Self {
        Self {
            tokens_left: AtomicU64::new(drafts.tokens),
            drafts,
        }
    }

    pub(crate) async fn draft(
        &self,
        draft: &Draft,
        schema: &Value,
    ) -> Result<(Value, Vec<LeftOut>), DraftError> {
        let validator = jsonschema::validator_for(schema)
            .map_err(|error| DraftError::Unusable(error.to_string()))?;
        let known = draft.known.iter().map(String::as_str);
        let evidence = Evidence::new(&draft.sources, known);
        let evidence = match draft.topics {
            Some(topics) => evidence.with_topics(topics),
            None => evidence,
        };
        let mut messages = messages(draft, schema);
        let first = self.ask(schema, &messages, 1).await?;
        let attempt = read(&first, &validator, &evidence);
        let problems = match &attempt {
            Ok(attempt) if attempt.problems.is_empty() => {
                return Ok((attempt.checked.content.clone(), Vec::new()));
            }
            Ok(attempt) => attempt.problems.clone(),
            Err(problems) => problems.clone(),
        };
        messages.ask_again(&first.text, &problems);
        let second = match self.ask(schema, &messages, 2).await {
            Ok(second) => read(&second, &validator, &evidence),
            // A first attempt without its unsupported parts is better than none.
            Err(error) if attempt.is_err() => return Err(error),
            Err(error) => Err(vec![error.to_string()]),
        };
        let usable = [second, attempt].into_iter().find_map(Result::ok);
        let Some(Attempt { checked, .. }) = usable else {
            return Err(DraftError::Unusable(problems.join("; ")));
        };
        if !validator.is_valid(&checked.content) {
            return Err(DraftError::Unusable(
                "nothing that the sources support is left".to_owned(),
            ));
        }
        Ok((checked.content, checked.left_out))
    }

    /// Sends one request. Its usage counts even if the answer is unusable.
    async fn ask(
        &self,
        schema: &Value,
        messages: &Messages,
        attempt: u32,
    ) -> Result<Reply, DraftError> {
        let settings = ModelSettings {
            max_tokens: Some(MAX_TOKENS),
            ..self.drafts.settings.clone()
        };
        let prompt_tokens = u64::from(tokens_in(messages.bytes()));
        if self.tokens_left.load(Ordering::Relaxed) <= prompt_tokens {
            return Err(DraftError::OutOfBudget);
        }
        let mut sink = Sink {
            preview: Preview::default(),
            signals: &self.drafts.signals,
        };
        self.tell(DraftSignal::Asked {
            model: settings.model.clone(),
            attempt,
        });
        let ask = Ask {
            assistant: &self.drafts.assistant,
            prompt: Prompt {
                system: &messages.system,
                history: &messages.user,
                tail: &messages.repair,
            },
            offer: &NO_TOOLS,
            settings: &settings,
            reply_schema: Some(schema),
            summaries: &[],
        };
        let answer = self.drafts.model.reply(ask, &mut sink).await;
        sink.finish();
        let record = self.record(&settings, &answer, prompt_tokens);
        let used = record.usage.total();
        let left = self.tokens_left.load(Ordering::Relaxed);
        self.tokens_left
            .store(left.saturating_sub(used), Ordering::Relaxed);
        self.tell(DraftSignal::Answered(record));
        let reply = answer.map_err(DraftError::Model)?;
        match reply.finish {
            Finish::ContentFilter => Err(DraftError::Refused),
            Finish::Stop | Finish::ToolCalls | Finish::Length | Finish::Other(_) => Ok(reply),
        }
    }

    fn record(
        &self,
        settings: &ModelSettings,
        answer: &Result<Reply, ModelError>,
        prompt_tokens: u64,
    ) -> DraftRecord {
        let reply = answer.as_ref().ok();
        let estimate = |reply: &Reply| Usage {
            input_tokens: prompt_tokens,
            output_tokens: tokens_in(reply.text.len()).into(),
            cached_tokens: 0,
            estimated: true,
        };
        let usage = reply.map(|reply| reply.usage.unwrap_or_else(|| estimate(reply)));
        let model = reply.and_then(|reply| reply.model.clone());
        DraftRecord {
            model: model.unwrap_or_else(|| settings.model.clone()),
            usage: usage.unwrap_or_default(),
            error: answer.as_ref().err().map(ToString::to_string),
        }
    }

    fn tell(&self, signal: DraftSignal) {
        // A closed channel means that the call was abandoned.
        let _ = self.drafts.signals.send(signal);
    }
}

/// Parses and checks an answer. The error lists the problems that make it unusable.
fn read(reply: &Reply, validator: &Validator, evidence: &Evidence) -> Result<Attempt, Vec<String>> {
    if reply.finish == Finish::Length {
        return Err(vec!["the answer was cut off; write less".to_owned()]);
    }
    let Some(content) = reply::read_object(&reply.text) else {
        return Err(vec!["the answer is not a JSON object".to_owned()]);
    };
    let content = Value::Object(content);
    let wrong: Vec<String> = validator
        .iter_errors(&content)
        .map(|error| {
            format!(
                "{}: {}",
                error.instance_path(),
                error.masked_with("the value")
            )
        })
        .collect();
    if !wrong.is_empty() {
        return Err(wrong);
    }
    let checked = check(content, evidence);
    let problems = checked
        .left_out
        .iter()
        .map(|left_out| format!("“{}”: {}", left_out.text, left_out.why))
        .collect();
    Ok(Attempt { checked, problems })
}

struct Sink<'a> {
    preview: Preview,
    signals: &'a mpsc::UnboundedSender<DraftSignal>,
}

impl DeltaSink for Sink<'_> {
    fn text(&mut self, delta: &str) {
        if let Some(text) = self.preview.push(delta) {
            let _ = self.signals.send(DraftSignal::Text(text));
        }
    }
}

impl Sink<'_> {
    fn finish(self) {
        if let Some(text) = self.preview.finish() {
            let _ = self.signals.send(DraftSignal::Text(text));
        }
    }
}
