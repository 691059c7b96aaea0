//! A second model that answers while the first is unavailable, and says so.

use std::sync::Arc;

use async_trait::async_trait;
use frontdesk_core::model::{Ask, DeltaSink, Model, ModelError, Reply};

/// Asks `first`. If it is unavailable and has shown nothing, asks `second`.
pub struct Fallback {
    pub first: Arc<dyn Model>,
    pub second: Arc<dyn Model>,
}

impl Fallback {
    /// Prefix of every text of the second model, so that users can tell the two apart.
    pub const NOTE: &str =
        "(The language model cannot be reached right now; this is the fallback's answer.)\n\n";
}

#[async_trait]
impl Model for Fallback {
    async fn reply(&self, ask: Ask<'_>, sink: &mut dyn DeltaSink) -> Result<Reply, ModelError> {
        let mut watched = WatchedSink { sink, shown: false };
        let error = match self.first.reply(ask, &mut watched).await {
            Ok(reply) => return Ok(reply),
            Err(error) => error,
        };
        // A wrong key or request is an operator's mistake and must stay visible.
        let can_stand_in = self.second.can_draft() || !ask.is_draft();
        if watched.shown || !error.can_retry() || !can_stand_in {
            return Err(error);
        }
        tracing::warn!(
            assistant = ask.assistant,
            error.kind = ?error.kind,
            error.message = %error,
            "the model is unavailable; using the fallback"
        );
        // With a reply schema, text before the object is shown like the object's own text.
        let mut noted = NotingSink {
            sink: watched.sink,
            note: Self::NOTE,
        };
        match self.second.reply(ask, &mut noted).await {
            Ok(mut reply) => {
                reply.proposes |= !self.second.may_write();
                Ok(mark(reply, Self::NOTE))
            }
            Err(second) => {
                tracing::warn!(error.message = %second, "the fallback failed as well");
                Err(error)
            }
        }
    }

    fn can_draft(&self) -> bool {
        self.first.can_draft()
    }

    /// The first model's value; a reply of the second carries its own.
    fn may_write(&self) -> bool {
        self.first.may_write()
    }
}

fn mark(mut reply: Reply, note: &str) -> Reply {
    if !reply.text.is_empty() {
        reply.text.insert_str(0, note);
    }
    let model = reply.model.as_deref().unwrap_or("unnamed");
    reply.model = Some(format!("{model} (fallback)"));
    reply
}

/// Records whether any text was shown.
struct WatchedSink<'a> {
    sink: &'a mut dyn DeltaSink,
    shown: bool,
}

impl DeltaSink for WatchedSink<'_> {
    fn text(&mut self, delta: &str) {
        self.shown |= !delta.is_empty();
        self.sink.text(delta);
    }
}

/// Writes the note before the first text.
struct NotingSink<'a> {
    sink: &'a mut dyn DeltaSink,
    note: &'a str,
}

impl DeltaSink for NotingSink<'_> {
    fn text(&mut self, delta: &str) {
        if delta.is_empty() {
            return;
        }
        let note = std::mem::take(&mut self.note);
        if !note.is_empty() {
            self.sink.text(note);
        }
        self.sink.text(delta);
    }
}

#[cfg(test)]
#[path = "fallback_tests.rs"]
mod fallback_tests;
