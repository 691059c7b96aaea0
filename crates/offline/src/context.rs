//! Words around values in a tool's examples: evidence for the parameter of a value in a message.

use std::collections::HashMap;

use frontdesk_core::tool::Example;
use serde_json::Value;

use crate::text::{Word, same_stem, words};

/// Words before and after the values of one parameter, nearest first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Contexts {
    pub(crate) before: Vec<Vec<String>>,
    pub(crate) after: Vec<String>,
    /// Some example value is in lower case, so the parameter accepts more than names.
    pub(crate) ordinary: bool,
}

/// Number of words before a value that count.
pub(crate) const BEFORE: usize = 2;

pub(crate) fn contexts(examples: &[Example]) -> HashMap<String, Contexts> {
    let mut found: HashMap<String, Contexts> = HashMap::new();
    for example in examples {
        let sentence = words(&example.say);
        for (name, value) in example.arguments.as_object().into_iter().flatten() {
            // Of a list the first item shows what leads to it.
            let value = value
                .as_array()
                .and_then(|items| items.first())
                .unwrap_or(value);
            let Some((start, end)) = place(&sentence, &example.say, value) else {
                continue;
            };
            let own = found.entry(name.clone()).or_default();
            let value = sentence[start].in_text(&example.say);
            own.ordinary |= value.starts_with(char::is_lowercase);
            let before = sentence[..start].iter().rev().take(BEFORE);
            own.before
                .push(before.map(|word| word.lower.clone()).collect());
            own.after
                .extend(sentence.get(end).map(|word| word.lower.clone()));
        }
    }
    found
}

/// The range of words in an example that form the value.
fn place(sentence: &[Word], text: &str, value: &Value) -> Option<(usize, usize)> {
    let value = match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.as_f64()?.to_string(),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => return None,
    };
    let wanted: Vec<String> = words(&value).into_iter().map(|word| word.lower).collect();
    if wanted.is_empty() || text.trim() == value {
        return None;
    }
    let same = |at: &usize| {
        let here = sentence[*at..].iter().map(|word| &word.lower);
        here.take(wanted.len()).eq(wanted.iter())
    };
    let start = (0..sentence.len()).find(same)?;
    Some((start, start + wanted.len()))
}

impl Contexts {
    /// The number of words before a place that match those before example values, nearest first.
    pub(crate) fn agreement(&self, sentence: &[Word], at: usize) -> usize {
        let own = |before: &Vec<String>| {
            let here = sentence[..at].iter().rev();
            let pairs = before.iter().zip(here);
            pairs
                .take_while(|(known, here)| same_stem(known, &here.lower))
                .count()
        };
        self.before.iter().map(own).max().unwrap_or(0)
    }
}

#[cfg(test)]
#[path = "context_tests.rs"]
mod context_tests;
