//! The second model answers only in an outage, says so, and never hides an operator's
//! mistake.

use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use frontdesk_core::message::ToolCall;
use frontdesk_core::model::{
    Ask, DeltaSink, Model, ModelError, ModelErrorKind, ModelSettings, Prompt, Reply,
};
use frontdesk_core::toolbox::Offer;

use super::Fallback;

/// Shows a text, then ends as configured.
struct FixedModel {
    may_write: bool,
    shows: &'static str,
    end: Result<Reply, ModelError>,
}

#[async_trait]
impl Model for FixedModel {
    async fn reply(&self, _: Ask<'_>, sink: &mut dyn DeltaSink) -> Result<Reply, ModelError> {
        sink.text(self.shows);
        self.end.clone()
    }

    fn may_write(&self) -> bool {
        self.may_write
    }
}

struct Screen(String);

impl DeltaSink for Screen {
    fn text(&mut self, delta: &str) {
        self.0.push_str(delta);
    }
}

fn fails(shows: &'static str, kind: ModelErrorKind) -> FixedModel {
    FixedModel {
        may_write: true,
        shows,
        end: Err(ModelError::new(kind, "first")),
    }
}

fn says(text: &'static str) -> FixedModel {
    let reply = Reply {
        text: text.to_owned(),
        model: Some("m".to_owned()),
        ..Reply::default()
    };
    FixedModel {
        may_write: true,
        shows: text,
        end: Ok(reply),
    }
}

async fn ask(first: FixedModel, second: FixedModel) -> (Result<Reply, ModelError>, String) {
    let model = Fallback {
        first: Arc::new(first),
        second: Arc::new(second),
    };
    let (system, history) = (Bytes::new(), Bytes::new());
    let offer = Offer {
        json: Bytes::new(),
        tools: Vec::new(),
        elsewhere: Vec::new(),
        phrasings: std::sync::Arc::default(),
    };
    let settings = ModelSettings {
        model: "m".to_owned(),
        temperature: None,
        max_tokens: None,
    };
    let ask = Ask {
        assistant: "a",
        prompt: Prompt {
            system: &system,
            history: &history,
            tail: b"",
        },
        offer: &offer,
        settings: &settings,
        reply_schema: None,
        summaries: &[],
    };
    let mut screen = Screen(String::new());
    let reply = model.reply(ask, &mut screen).await;
    (reply, screen.0)
}

#[tokio::test]
async fn an_available_model_answers_itself() {
    let (reply, shown) = ask(says("one"), says("two")).await;
    assert_eq!(reply.unwrap().text, "one");
    assert_eq!(shown, "one");
}

#[tokio::test]
async fn an_outage_is_answered_by_the_second_which_says_so() {
    for kind in [
        ModelErrorKind::Unreachable,
        ModelErrorKind::RateLimited,
        ModelErrorKind::TimedOut,
    ] {
        let (reply, shown) = ask(fails("", kind), says("two")).await;
        let reply = reply.unwrap();
        assert_eq!(reply.text, format!("{}two", Fallback::NOTE));
        assert_eq!(shown, reply.text);
        assert_eq!(reply.model.as_deref(), Some("m (fallback)"));
    }
}

#[tokio::test]
async fn never_after_text_was_shown() {
    let (reply, shown) = ask(fails("Hel", ModelErrorKind::Interrupted), says("two")).await;
    assert_eq!(reply.unwrap_err().kind, ModelErrorKind::Interrupted);
    assert_eq!(shown, "Hel");
}

#[tokio::test]
async fn an_operators_mistake_stays_visible() {
    for kind in [
        ModelErrorKind::Unauthorized,
        ModelErrorKind::Rejected,
        ModelErrorKind::ContextTooLong,
    ] {
        let (reply, shown) = ask(fails("", kind), says("two")).await;
        assert_eq!(reply.unwrap_err().kind, kind);
        assert_eq!(shown, "");
    }
}

#[tokio::test]
async fn a_reply_of_calls_alone_has_no_note() {
    let mut second = says("");
    second.end = Ok(Reply {
        calls: vec![ToolCall {
            id: "a".to_owned(),
            name: "find".to_owned(),
            arguments: "{}".to_owned(),
        }],
        ..Reply::default()
    });
    let (reply, shown) = ask(fails("", ModelErrorKind::Unavailable), second).await;
    assert_eq!(reply.unwrap().text, "");
    assert_eq!(shown, "");
}

/// Only replies of a model that may not write become proposals.
#[tokio::test]
async fn a_reply_says_when_the_model_that_answered_may_not_write() {
    let limited = || FixedModel {
        may_write: false,
        ..says("Yes.")
    };
    let (reply, _) = ask(says("Yes."), limited()).await;
    assert!(!reply.unwrap().proposes);
    let (reply, _) = ask(fails("", ModelErrorKind::Unavailable), limited()).await;
    assert!(reply.unwrap().proposes);
    let first = |may_write| Fallback {
        first: Arc::new(FixedModel {
            may_write,
            ..says("Yes.")
        }),
        second: Arc::new(limited()),
    };
    assert!(first(true).may_write());
    assert!(!first(false).may_write());
}

#[tokio::test]
async fn the_first_error_counts_when_both_fail() {
    let mut second = fails("", ModelErrorKind::Rejected);
    second.end = Err(ModelError::new(ModelErrorKind::Rejected, "second"));
    let (reply, _) = ask(fails("", ModelErrorKind::Unavailable), second).await;
    assert_eq!(reply.unwrap_err().message, "first");
}
