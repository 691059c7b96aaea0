//! Words that stand around values in a tool's examples: evidence that a value in a message belongs to the
//! same parameter.

use std::collections::HashMap;

use frontdesk_core::tool::Example;
use serde_json::Value;

use crate::text::{Word, same_stem, words};

/// Words before and after the values of one parameter, nearest first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Contexts {
    pub(crate) before: Vec<Vec<String>>,
    pub(crate) after: Vec<String>,
    /// Some value is written in small letters, so the parameter takes more than names.
    pub(crate) ordinary: bool,
}

/// So many words before a value count.
pub(crate) const BEFORE: usize = 2;

pub(crate) fn contexts(examples: &[Example]) -> HashMap<String, Contexts> {
    let mut found: HashMap<String, Contexts> = HashMap::new();
    for example in examples {
        let said = words(&example.say);
        for (name, value) in example.arguments.as_object().into_iter().flatten() {
            // Of a list the first item shows what leads to it.
            let value = value
                .as_array()
                .and_then(|items| items.first())
                .unwrap_or(value);
            let Some((start, end)) = place(&said, &example.say, value) else {
                continue;
            };
            let own = found.entry(name.clone()).or_default();
            let value = said[start].in_text(&example.say);
            own.ordinary |= value.starts_with(char::is_lowercase);
            let before = said[..start].iter().rev().take(BEFORE);
            own.before
                .push(before.map(|word| word.lower.clone()).collect());
            own.after
                .extend(said.get(end).map(|word| word.lower.clone()));
        }
    }
    found
}

/// The words of an example that are the value.
fn place(said: &[Word], text: &str, value: &Value) -> Option<(usize, usize)> {
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
        let here = said[*at..].iter().map(|word| &word.lower);
        here.take(wanted.len()).eq(wanted.iter())
    };
    let start = (0..said.len()).find(same)?;
    Some((start, start + wanted.len()))
}

impl Contexts {
    /// How well the words before a place match those before values in the examples: the number of
    /// words that agree, nearest first.
    pub(crate) fn agreement(&self, said: &[Word], at: usize) -> usize {
        let own = |before: &Vec<String>| {
            let here = said[..at].iter().rev();
            let pairs = before.iter().zip(here);
            pairs
                .take_while(|(known, here)| same_stem(known, &here.lower))
                .count()
        };
        self.before.iter().map(own).max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_words_before_a_value_of_an_example_are_kept() {
        let examples = [Example {
            say: "calculate it with a rate of 30 an hour".into(),
            arguments: json!({ "rate": 30.0 }),
        }];
        let found = contexts(&examples);
        assert_eq!(found["rate"].before, [["of", "rate"]]);
        assert_eq!(found["rate"].after, ["an"]);
        let said = words("what about a rate of 25");
        assert_eq!(found["rate"].agreement(&said, 5), 2);
        assert_eq!(found["rate"].agreement(&said, 1), 0);
    }
}
