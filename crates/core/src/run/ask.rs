//! Asking the model and passing its words on while they come.

use std::time::Duration;

use futures_util::future::{Either, select};

use super::recorder::Recorder;
use super::{Driver, model_failed};
use crate::event::Event;
use crate::model::{Ask, DeltaSink, ModelErrorKind, Reply};
use crate::outcome::Outcome;
use crate::store::StoreError;

/// Text is journalled this often while a reply is arriving.
const FLUSH_EVERY: Duration = Duration::from_millis(400);

/// What stands between the words of two replies of one turn.
const BETWEEN_REPLIES: &str = "\n\n";

struct Sink<'a, 'e> {
    recorder: &'a Recorder<'e>,
    /// Everything shown of this reply, with what stands before it.
    shown: String,
    separate: bool,
}

impl DeltaSink for Sink<'_, '_> {
    fn text(&mut self, delta: &str) {
        if delta.is_empty() {
            return;
        }
        if std::mem::take(&mut self.separate) {
            self.show(BETWEEN_REPLIES);
        }
        self.show(delta);
    }
}

impl Sink<'_, '_> {
    fn show(&mut self, text: &str) {
        self.shown.push_str(text);
        self.recorder.say(Event::TextDelta {
            text: text.to_owned(),
        });
    }
}

impl Driver<'_> {
    /// Asks and takes the reply in. The inner error is how the turn must end instead.
    pub(super) async fn ask_model(&mut self) -> Result<Result<(), Outcome>, StoreError> {
        let asked_at = self.engine.world.now();
        let mut sink = Sink {
            recorder: &self.recorder,
            shown: String::new(),
            separate: !self.turn.settled_text().is_empty(),
        };
        let answer = self.reply_or_stop(&mut sink).await?;
        let shown = sink.shown;
        if !shown.is_empty() {
            // Already said by the sink; the turn takes it in at once.
            self.turn.apply(&Event::TextDelta { text: shown });
        }
        let reply = match answer {
            Ok(reply) => reply,
            Err(outcome) => return Ok(Err(outcome)),
        };
        let duration = self.engine.world.now() - asked_at;
        let calls = self.turn.with_fresh_ids(reply.calls);
        self.emit(Event::ModelReplied {
            text: reply.text,
            calls,
            finish: reply.finish,
            usage: reply.usage.unwrap_or_default(),
            model: reply.model,
            duration_ms: u64::try_from(duration.num_milliseconds()).unwrap_or(0),
        });
        Ok(Ok(()))
    }

    async fn reply_or_stop(
        &self,
        sink: &mut Sink<'_, '_>,
    ) -> Result<Result<Reply, Outcome>, StoreError> {
        let assistant = self.turn.assistant();
        let offer = assistant
            .toolbox
            .offer(self.turn.principal(), &self.turn.conversation().phase);
        let ask = Ask {
            assistant: assistant.name,
            prompt: self.turn.prompt(),
            offer: &offer,
            settings: &assistant.model,
            reply_schema: assistant.reply_schema.as_ref(),
            summaries: self.turn.summaries(),
        };
        let reply = self.model.reply(ask, sink);
        let stopped = std::pin::pin!(self.stopped());
        let flushing = std::pin::pin!(self.keep_flushing());
        match select(reply, select(stopped, flushing)).await {
            Either::Left((Ok(reply), _)) => Ok(Ok(reply)),
            Either::Left((Err(error), _)) => {
                tracing::error!(
                    turn.id = %self.turn.id(), error.kind = ?error.kind, error.status = error.status,
                    "the model did not answer: {error}"
                );
                // A provider that hangs until our deadline is a timeout of the turn, not of the model.
                if error.kind == ModelErrorKind::TimedOut
                    && let Some(outcome) = self.stop_reason()
                {
                    return Ok(Err(outcome));
                }
                Ok(Err(model_failed(&error)))
            }
            Either::Right((Either::Left((outcome, _)), _)) => Ok(Err(outcome)),
            Either::Right((Either::Right((lost, _)), _)) => Err(lost),
        }
    }

    /// Writes text to the journal while it arrives; returns only when that fails for good.
    async fn keep_flushing(&self) -> StoreError {
        loop {
            self.engine.world.sleep(FLUSH_EVERY).await;
            if let Err(lost) = self.recorder.flush().await {
                return lost;
            }
        }
    }
}
