//! The body is valid JSON whichever parts are empty, and large parts are shared, not
//! copied.

use bytes::Bytes;
use frontdesk_core::model::{Ask, ModelSettings, Prompt};
use frontdesk_core::tool::{ToolDef, ToolSpec};
use frontdesk_core::toolbox::Offer;
use frontdesk_core::transcript::{Line, Transcript};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::super::quirks::Quirks;
use super::{Body, is_strict};

fn settings() -> ModelSettings {
    ModelSettings {
        model: "a \"quoted\" model".to_owned(),
        temperature: Some(0.2),
        max_tokens: Some(100),
    }
}

fn offer(tools: usize) -> Offer {
    let tools: Vec<ToolDef> = (0..tools)
        .map(|n| ToolDef {
            name: format!("tool_{n}").into(),
            parameters: json!({"type": "object"}),
            spec: ToolSpec::read("x"),
        })
        .collect();
    let json: Vec<Value> = tools.iter().map(ToolDef::to_openai_format).collect();
    Offer {
        json: Bytes::from(Value::Array(json).to_string()),
        tools,
        elsewhere: Vec::new(),
        phrasings: std::sync::Arc::default(),
    }
}

fn body(prompt: Prompt<'_>, offer: &Offer) -> Body {
    let settings = settings();
    let ask = Ask {
        assistant: "a",
        prompt,
        offer,
        settings: &settings,
        reply_schema: None,
        summaries: &[],
    };
    Body::new(&ask, Quirks::default())
}

fn bytes(body: &Body) -> Vec<u8> {
    body.parts.concat()
}

#[test]
fn any_part_of_the_prompt_may_be_empty() {
    let all = [b"".as_slice(), b"{\"role\":\"user\"}"];
    for (system, history, tail) in itertools(all) {
        let (system, history) = (Bytes::from_static(system), Bytes::from_static(history));
        let prompt = Prompt {
            system: &system,
            history: &history,
            tail,
        };
        let wanted = prompt.parts().count();
        let body = body(prompt, &offer(0));
        let json: Value = serde_json::from_slice(&bytes(&body)).unwrap();
        assert_eq!(json["messages"].as_array().unwrap().len(), wanted);
        assert_eq!(body.len(), bytes(&body).len() as u64);
    }
}

fn itertools(all: [&'static [u8]; 2]) -> Vec<(&'static [u8], &'static [u8], &'static [u8])> {
    let mut out = Vec::new();
    for a in all {
        for b in all {
            for c in all {
                out.push((a, b, c));
            }
        }
    }
    out
}

#[test]
fn the_history_and_the_tools_are_shared_and_not_copied() {
    let (system, history) = (Bytes::from("{}".repeat(9)), Bytes::from("{}".repeat(99)));
    let offer = offer(3);
    let prompt = Prompt {
        system: &system,
        history: &history,
        tail: b"{}",
    };
    let body = body(prompt, &offer);
    let shares = |bytes: &Bytes| {
        body.parts
            .iter()
            .any(|part| part.as_ptr() == bytes.as_ptr())
    };
    assert!(shares(&system) && shares(&history) && shares(&offer.json));
}

#[test]
fn only_closed_schemas_are_strict() {
    let closed = json!({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"], "additionalProperties": false});
    assert!(is_strict(&closed));
    assert!(is_strict(&json!({"type": "array", "items": closed})));
    let open = json!({"type": "object", "properties": {"a": {}}, "required": ["a"]});
    assert!(!is_strict(&open));
    assert!(!is_strict(&json!({"type": "array", "items": open})));
    assert!(!is_strict(
        &json!({"type": "object", "properties": {"a": {}}, "additionalProperties": false})
    ));
}

/// A conversation as the engine stores it: whole turns in the history, the current turn in
/// the tail.
#[derive(Clone, Debug)]
enum Step {
    Ask(String),
    Answer(String),
    TurnEnds,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        any::<String>().prop_map(Step::Ask),
        any::<String>().prop_map(Step::Answer),
        Just(Step::TurnEnds),
    ];
    prop::collection::vec(step, 1..20)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn each_request_extends_the_one_before_byte_for_byte(steps in steps(), tools in 0usize..4) {
        let offer = offer(tools);
        let system = Bytes::from(Line::context("Be brief.").wire);
        let mut history = Transcript::default();
        let mut tail = Transcript::default();
        let mut before: Option<Vec<u8>> = None;
        for step in steps {
            match step {
                Step::Ask(text) => tail.push(&Line::user(text)),
                Step::Answer(text) => tail.push(&Line::context(text)),
                Step::TurnEnds => {
                    for message in std::mem::take(&mut tail).messages() {
                        history.push(&Line::new(frontdesk_core::transcript::LineKind::User, &message));
                    }
                }
            }
            let past = Bytes::copy_from_slice(history.as_bytes());
            let prompt = Prompt { system: &system, history: &past, tail: tail.as_bytes() };
            let wanted = prompt.messages();
            let now = bytes(&body(prompt, &offer));
            let json: Value = serde_json::from_slice(&now).unwrap();
            let sent: Vec<_> = json["messages"].as_array().unwrap().iter()
                .map(|message| frontdesk_core::message::Message::from_openai_format(message).unwrap())
                .collect();
            prop_assert_eq!(sent, wanted);
            if let Some(before) = before {
                let open = before.strip_suffix(b"]}").unwrap();
                prop_assert!(now.starts_with(open));
            }
            before = Some(now);
        }
    }
}
