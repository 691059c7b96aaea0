//! Requests a reply from the model and streams its text.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::{Either, select};
use serde_json::{Map, Value};

use super::calls::short_replies;
use super::recorder::Recorder;
use super::wake_gated::WakeGated;
use super::{Driver, model_failed};
use crate::event::Event;
use crate::message::ToolCall;
use crate::model::{Ask, DeltaSink, ModelErrorKind, Reply, Usage};
use crate::outcome::Outcome;
use crate::reply::{Decoder, Extras, FinalAnswer, ReplySchema};
use crate::store::StoreError;
use crate::toolbox::Offer;
use crate::transcript::tokens_in;

/// Interval at which text is journalled while a reply streams.
const FLUSH_EVERY: Duration = Duration::from_millis(400);

/// Separates the texts of two replies of one turn.
const BETWEEN_REPLIES: &str = "\n\n";

struct Sink<'a, 'e> {
    recorder: &'a Recorder<'e>,
    /// Separator before this reply, if it has any text.
    before: &'static str,
    /// The raw reply so far.
    raw: String,
    /// The text shown so far.
    shown: String,
    /// Extracts the text of a structured reply.
    decoder: Option<Decoder>,
}

impl DeltaSink for Sink<'_, '_> {
    fn text(&mut self, delta: &str) {
        self.raw.push_str(delta);
        match &mut self.decoder {
            Some(decoder) => {
                let words = decoder.push(delta);
                self.show(&words);
            }
            None => self.show(delta),
        }
    }
}

impl Sink<'_, '_> {
    fn show(&mut self, delta: &str) {
        if delta.contains('\0') {
            // Some databases cannot store NUL, and it is invisible.
            return self.show(&delta.replace('\0', ""));
        }
        if delta.is_empty() {
            return;
        }
        let text = if self.shown.is_empty() {
            format!("{}{delta}", self.before)
        } else {
            delta.to_owned()
        };
        self.shown.push_str(delta);
        self.recorder.say(Event::TextDelta { text });
    }
}

impl Driver<'_> {
    /// Requests a reply and applies it. The inner error is the turn's outcome instead.
    pub(super) async fn ask_model(&mut self) -> Result<Result<(), Outcome>, StoreError> {
        let asked_at = self.engine.env.now();
        let mut sink = Sink {
            recorder: &self.recorder,
            before: match self.turn.settled_text() {
                "" => "",
                _ => BETWEEN_REPLIES,
            },
            raw: String::new(),
            shown: String::new(),
            decoder: self.schema().map(ReplySchema::decoder),
        };
        let answer = self.reply_or_stop(&mut sink).await?;
        let mut fields = Map::new();
        if let Ok(reply) = &answer {
            if let Some(missing) = reply.text.strip_prefix(&*sink.raw) {
                // Shows the part of the answer that the model did not stream.
                sink.text(missing);
            }
            if let Some(decoder) = sink.decoder.take() {
                let decoded = decoder.finish();
                sink.show(&decoded.text);
                fields = decoded.fields;
            }
        }
        let Sink { before, shown, .. } = sink;
        if !shown.is_empty() {
            // The sink already recorded it; the turn must see it at once.
            let text = format!("{before}{shown}");
            self.turn.apply(&Event::TextDelta { text });
        }
        let reply = match answer {
            Ok(reply) => reply,
            Err(outcome) => return Ok(Err(outcome)),
        };
        let duration = self.engine.env.now() - asked_at;
        let usage = reply.usage.unwrap_or_else(|| self.estimate(&reply));
        let extras = match reply.calls.as_slice() {
            [] => self.extras(fields, reply.quick_replies, &shown).await?,
            // Not an answer yet.
            _ => Extras::default(),
        };
        let calls = self.turn.with_fresh_ids(reply.calls);
        self.emit(Event::ModelReplied {
            text: shown,
            calls,
            finish: reply.finish,
            usage,
            model: reply.model,
            duration_ms: u64::try_from(duration.num_milliseconds()).unwrap_or(0),
            extras,
            proposes: reply.proposes || !self.model.may_write(),
        });
        Ok(Ok(()))
    }

    fn schema(&self) -> Option<&ReplySchema> {
        self.turn.assistant().reply_schema.as_ref()
    }

    /// The answer's structured fields after the assistant's check. Unchecked fields are dropped,
    /// and a failed check never costs the answer.
    async fn extras(
        &self,
        fields: Map<String, Value>,
        suggested: Vec<String>,
        text: &str,
    ) -> Result<Extras, StoreError> {
        let mut extras = Extras {
            quick_replies: suggested,
            fields: Map::new(),
        };
        if let Some(schema) = self.schema() {
            let parsed = schema.extras(fields);
            extras.quick_replies.splice(..0, parsed.quick_replies);
            extras.fields = parsed.fields;
            extras = self.checked(schema, extras, text).await?;
        }
        extras.quick_replies = short_replies(&extras.quick_replies);
        Ok(extras)
    }

    async fn checked(
        &self,
        schema: &ReplySchema,
        extras: Extras,
        text: &str,
    ) -> Result<Extras, StoreError> {
        let answer = FinalAnswer {
            principal: self.turn.principal(),
            conversation: self.turn.conversation(),
            text,
            calls: self.turn.summaries(),
        };
        let check =
            std::pin::pin!(AssertUnwindSafe(schema.checked(&answer, extras)).catch_unwind());
        let stopped = std::pin::pin!(self.stopped());
        match self.flushing_meanwhile(select(check, stopped)).await? {
            Either::Left((Ok(extras), _)) => Ok(extras),
            Either::Left((Err(_), _)) => {
                tracing::error!(turn.id = %self.turn.id(), "the check of a reply panicked");
                Ok(Extras::default())
            }
            Either::Right(_) => Ok(Extras::default()),
        }
    }

    async fn reply_or_stop(
        &self,
        sink: &mut Sink<'_, '_>,
    ) -> Result<Result<Reply, Outcome>, StoreError> {
        let assistant = self.turn.assistant();
        let offer = self.offer();
        let ask = Ask {
            assistant: &assistant.name,
            prompt: self.turn.prompt(),
            offer: &offer,
            settings: &assistant.model,
            reply_schema: self.schema().map(ReplySchema::as_json),
            summaries: self.turn.summaries(),
        };
        let observer = &self.engine.observer;
        observer.on_request(self.turn.id(), &assistant.model.model);
        let stopped = std::pin::pin!(self.stopped());
        let reply = select(self.model.reply(ask, sink), WakeGated::new(stopped));
        match self.flushing_meanwhile(reply).await? {
            Either::Left((Ok(reply), _)) => Ok(Ok(reply)),
            Either::Left((Err(error), _)) => {
                observer.on_failure(self.turn.id(), &error);
                tracing::error!(
                    turn.id = %self.turn.id(), error.kind = ?error.kind, error.status = error.status,
                    "OpenAI API call failed: {error}"
                );
                // A provider that hangs until our deadline is a timeout of the turn.
                if error.kind == ModelErrorKind::TimedOut
                    && let Some(outcome) = self.stop_reason()
                {
                    return Ok(Err(outcome));
                }
                Ok(Err(model_failed(&error)))
            }
            Either::Right((outcome, _)) => Ok(Err(outcome)),
        }
    }

    /// Journals queued events while `work` runs. Awaits a started write, or its events would be
    /// lost.
    pub(super) async fn flushing_meanwhile<T>(
        &self,
        work: impl Future<Output = T>,
    ) -> Result<T, StoreError> {
        let mut work = std::pin::pin!(work);
        loop {
            let pause = WakeGated::new(self.engine.env.sleep(FLUSH_EVERY));
            if let Either::Left((done, _)) = select(work.as_mut(), pause).await {
                return Ok(done);
            }
            let mut flush = std::pin::pin!(self.recorder.flush());
            match select(work.as_mut(), flush.as_mut()).await {
                Either::Left((done, _)) => return flush.await.map(|()| done),
                Either::Right((flushed, _)) => flushed?,
            }
        }
    }

    fn offer(&self) -> Arc<Offer> {
        let toolbox = &self.turn.assistant().toolbox;
        let (who, phase) = (self.turn.principal(), &self.turn.conversation().phase);
        if self.turn.has_partial_texts() {
            toolbox.offer_with_reading(who, phase)
        } else {
            toolbox.offer(who, phase)
        }
    }

    /// Estimates a reply's usage if the provider reports none, so that budgets still hold.
    fn estimate(&self, reply: &Reply) -> Usage {
        let asked: usize = self.turn.prompt().parts().map(<[u8]>::len).sum();
        let called = |call: &ToolCall| call.name.len() + call.arguments.len();
        let answered = reply.text.len() + reply.calls.iter().map(called).sum::<usize>();
        Usage {
            input_tokens: tokens_in(asked + self.offer().json.len()).into(),
            output_tokens: tokens_in(answered).into(),
            cached_tokens: 0,
            estimated: true,
        }
    }
}
