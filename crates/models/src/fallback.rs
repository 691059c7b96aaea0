//! A second model that answers when the first cannot be reached, and says so.

use std::sync::Arc;

use async_trait::async_trait;
use frontdesk_core::model::{Ask, DeltaSink, Model, ModelError, Reply};

/// Asks `first`; where it is out of order and has shown nothing, asks `second`.
pub struct Fallback {
    pub first: Arc<dyn Model>,
    pub second: Arc<dyn Model>,
}

impl Fallback {
    /// Begins each text of the second model, so that nobody takes it for the first's.
    pub const NOTE: &str =
        "(The language model cannot be reached right now; this is the fallback's answer.)\n\n";
}

#[async_trait]
impl Model for Fallback {
    async fn reply(&self, ask: Ask<'_>, sink: &mut dyn DeltaSink) -> Result<Reply, ModelError> {
        let mut watched = Watched { sink, shown: false };
        let error = match self.first.reply(ask, &mut watched).await {
            Ok(reply) => return Ok(reply),
            Err(error) => error,
        };
        // A wrong key or a wrong request is for the operator to see, not to paper over.
        let can_stand_in = self.second.can_draft() || !ask.is_draft();
        if watched.shown || !error.can_retry() || !can_stand_in {
            return Err(error);
        }
        tracing::warn!(
            assistant = ask.assistant,
            error.kind = ?error.kind,
            error.message = %error,
            "the model is out of order; the fallback answers"
        );
        // Words before an object in a reply schema's shape are shown like the object's own.
        let mut noted = Noted {
            sink: watched.sink,
            note: Self::NOTE,
        };
        match self.second.reply(ask, &mut noted).await {
            Ok(mut reply) => {
                reply.proposes |= !self.second.may_write();
                Ok(mark(reply, Self::NOTE))
            }
            Err(second) => {
                tracing::warn!(error.message = %second, "the fallback failed, too");
                Err(error)
            }
        }
    }

    fn can_draft(&self) -> bool {
        self.first.can_draft()
    }

    /// The first model's answer; a reply of the second carries its own.
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

/// Notices whether anything was shown.
struct Watched<'a> {
    sink: &'a mut dyn DeltaSink,
    shown: bool,
}

impl DeltaSink for Watched<'_> {
    fn text(&mut self, delta: &str) {
        self.shown |= !delta.is_empty();
        self.sink.text(delta);
    }
}

/// Puts the note before the first text.
struct Noted<'a> {
    sink: &'a mut dyn DeltaSink,
    note: &'a str,
}

impl DeltaSink for Noted<'_> {
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
