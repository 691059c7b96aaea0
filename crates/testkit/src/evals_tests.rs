//! A suite that cannot be read says where; a model is judged by what it calls.

use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use frontdesk_core::model::{ModelError, Reply};
use frontdesk_core::tool::{ToolDef, ToolSpec};

use super::*;

const SUITE: &str = r#"
[[case]]
as = "hr"
say = "Delete it"
calls = [{ tool = "delete", with = { number = "A-1" } }]
[[case.then]]
say = "thanks"
"#;

/// Deletes what it is told to, whatever is said.
struct Deletes(&'static str);

#[async_trait]
impl Model for Deletes {
    async fn reply(&self, ask: Ask<'_>, _: &mut dyn DeltaSink) -> Result<Reply, ModelError> {
        let done = matches!(ask.prompt.messages().last(), Some(Message::Tool { .. }));
        let call = ToolCall {
            id: "1".to_owned(),
            name: "delete".to_owned(),
            arguments: format!(r#"{{"number":"{}"}}"#, self.0),
        };
        Ok(Reply {
            text: "Done.".to_owned(),
            calls: if done { Vec::new() } else { vec![call] },
            ..Reply::default()
        })
    }
}

fn offer() -> Arc<Offer> {
    let delete = ToolDef {
        name: "delete".into(),
        parameters: json!({ "type": "object", "properties": { "number": { "type": "string" } } }),
        spec: ToolSpec::at_most_once("Delete a thing.").example("Delete it", json!({})),
    };
    Arc::new(Offer {
        json: Bytes::new(),
        tools: vec![delete],
    })
}

#[tokio::test]
async fn what_is_called_without_being_asked_for_is_a_wrong_write() {
    let suite = Suite::parse(SUITE).unwrap();
    let score = suite.run(&Deletes("a-1"), |_, _| offer()).await;
    assert_eq!((score.messages, score.with_calls), (2, 1));
    assert_eq!((score.right_tool, score.right_arguments), (1, 1));
    assert_eq!((score.wrong_writes, score.like_examples), (1, 1));
    assert!(score.failures[0].contains("WRONG WRITE [hr] thanks"));

    let score = suite.run(&Deletes("A-2"), |_, _| offer()).await;
    assert_eq!((score.right_tool, score.right_arguments), (1, 0));
    assert_eq!(score.wrong_writes, 2);
}

#[test]
fn a_suite_that_cannot_be_read_says_where() {
    for (text, part) in [
        ("[[case]]\nas = 'hr'", "say"),
        ("[[case]]\nas = 'hr'\nsay = 'x'\nexpects = 1", "expects"),
        ("[[case]", "line 1"),
    ] {
        let error = Suite::parse(text).unwrap_err();
        assert!(error.contains(part), "{error}");
    }
}
