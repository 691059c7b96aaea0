//! A self-check for tests of other crates: every example that a tool declares must be
//! understood as the tool declares it.

use std::sync::Arc;

use frontdesk_core::toolbox::Offer;
use serde_json::Value;

use super::OfflineSettings;
use super::dialogue::{Dialogue, Said};
use super::index::Index;
use super::learned::Learned;
use super::plan::{Mind, Step};

/// An example that was understood differently.
#[derive(Clone, Debug, PartialEq)]
pub struct Mismatch {
    pub tool: String,
    pub say: String,
    pub expected: Value,
    /// The calls that would have been made, or what would have been said.
    pub got: String,
}

/// Says each example of each tool to the model, on its own, and returns those that lead
/// to anything but exactly this call. A clock is not given: an example whose value
/// depends on the day it is said cannot hold on every day.
pub fn check_examples(offer: &Offer) -> Vec<Mismatch> {
    let learned = Learned::from(&offer.phrasings).map(Arc::new);
    let index = Index::new(offer, learned);
    let settings = OfflineSettings::default();
    let mut mismatches = Vec::new();
    for tool in &offer.tools {
        for example in &tool.spec.examples {
            let dialogue = Dialogue::of_message(said(&example.say, &example.arguments));
            let mind = Mind {
                index: &index,
                dialogue: &dialogue,
                settings: &settings,
                language: index.tongues.of(&example.say, None).unwrap_or_default(),
                vectors: None,
            };
            let steps = mind.plan();
            let understood = match steps.as_slice() {
                [
                    Step::Call {
                        tool: called,
                        arguments,
                        ..
                    },
                ] => {
                    index.tools[*called].name == tool.name
                        && without_articles(&Value::Object(arguments.clone()))
                            == without_articles(&example.arguments)
                }
                _ => false,
            };
            if !understood {
                mismatches.push(Mismatch {
                    tool: tool.name.to_string(),
                    say: example.say.to_string(),
                    expected: example.arguments.clone(),
                    got: described(&index, &steps),
                });
            }
        }
    }
    mismatches
}

/// "a bank visit" and "bank visit" are the same to whoever reads them, and so are 1000 and 1000.0.
fn without_articles(arguments: &Value) -> Value {
    let Some(arguments) = arguments.as_object() else {
        return arguments.clone();
    };
    let plain = |value: &Value| match value.as_str() {
        Some(text) => {
            let text = text.trim_end_matches('.');
            let articles = ["a ", "an ", "the "].iter();
            let rest = articles
                .into_iter()
                .find_map(|article| text.strip_prefix(article));
            Value::from(rest.unwrap_or(text))
        }
        None => value.as_f64().map_or_else(|| value.clone(), Value::from),
    };
    let plain = arguments
        .iter()
        .map(|(name, value)| (name.clone(), plain(value)));
    Value::Object(plain.collect())
}

/// The example as a message, with the files and texts that its arguments name.
fn said(say: &str, arguments: &Value) -> Said {
    let mut said = Said {
        text: say.to_owned(),
        ..Said::default()
    };
    for value in arguments
        .as_object()
        .into_iter()
        .flat_map(|map| map.values())
    {
        let Some((kind, number)) = value.as_str().and_then(|text| text.split_once(':')) else {
            continue;
        };
        match (kind, number.parse()) {
            ("text", Ok(number)) => said.texts.push(number),
            ("file", Ok(number)) => said.files.push(number),
            _ => {}
        }
    }
    said
}

fn described(index: &Index, steps: &[Step]) -> String {
    let lines: Vec<String> = steps
        .iter()
        .map(|step| match step {
            Step::Call {
                tool, arguments, ..
            } => {
                format!(
                    "{} {}",
                    index.tools[*tool].name,
                    Value::Object(arguments.clone())
                )
            }
            Step::Say(text) => text.clone(),
        })
        .collect();
    lines.join("\n")
}
