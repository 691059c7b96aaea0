//! What an example teaches: where in the sentence each value stood, and what the
//! sentence says apart from its values.

use std::ops::Range;

use serde_json::Value;

use super::super::lexicon::LEXICON;
use super::super::param::Param;
use super::super::spans::is_among;
use super::super::words::{Text, normal};
use super::keys_of;

pub(crate) struct Lesson {
    /// The phrasing with its values taken out.
    pub(crate) without_values: Text,
    /// Keys of its words that carry meaning.
    pub(crate) terms: Vec<Vec<String>>,
    pub(crate) slots: Vec<Slot>,
    /// Values that do not stand in the sentence but follow from it, by parameter.
    pub(crate) implied: Vec<(String, Value)>,
    /// All of it word for word, with a mark for each value.
    pub(crate) template: Vec<String>,
    /// The words before the first value, where there are enough to tell by.
    pub(crate) opening: Vec<String>,
    pub(crate) say: String,
    pub(crate) arguments: Value,
}

/// A value's place in an example.
#[derive(Clone, Debug)]
pub(crate) struct Slot {
    pub(crate) param: String,
    /// The words right before it, nearest last.
    pub(crate) lead: Vec<String>,
    /// Nothing came behind it.
    pub(crate) last: bool,
}

const LEAD_WORDS: usize = 2;

/// Stands for a value.
const VALUE: &str = "…";

impl Lesson {
    pub(crate) fn learn(say: &str, arguments: &Value, params: &[Param]) -> Self {
        let text = Text::new(say);
        let mut spans: Vec<Range<usize>> = Vec::new();
        let mut placed: Vec<(String, Range<usize>)> = Vec::new();
        let mut implied = Vec::new();
        for param in params {
            let Some(value) = arguments.get(&param.name) else {
                continue;
            };
            let parts = match value.as_array() {
                Some(items) => items.as_slice(),
                None => std::slice::from_ref(value),
            };
            let found: Vec<Range<usize>> = parts
                .iter()
                .filter_map(|part| place_of(say, part))
                .filter(|span| !is_among(&spans, span))
                .collect();
            match found.first() {
                Some(span) => placed.push((param.name.clone(), span.clone())),
                None => implied.push((param.name.clone(), value.clone())),
            }
            spans.extend(found);
        }
        let slots = placed
            .iter()
            .map(|(param, span)| slot(&text, param, span, &spans))
            .collect();
        spans.sort_by_key(|span| std::cmp::Reverse(span.start));
        let mut rest = say.to_owned();
        for span in spans {
            rest.replace_range(span, VALUE);
        }
        let without_values = Text::new(&rest);
        Self {
            terms: terms(&without_values),
            opening: opening(&without_values),
            template: template(&without_values, &|_| false),
            without_values,
            slots,
            implied,
            say: say.to_owned(),
            arguments: arguments.clone(),
        }
    }
}

/// A sentence word for word, with one mark for each value in it.
pub(crate) fn template(text: &Text, is_value: &dyn Fn(usize) -> bool) -> Vec<String> {
    let mut template: Vec<String> = Vec::new();
    let mark = |template: &mut Vec<String>| {
        if template.last().is_none_or(|last| last != VALUE) {
            template.push(VALUE.to_owned());
        }
    };
    for (at, word) in text.words.iter().enumerate() {
        if text.gap_before(at).contains(VALUE) || is_value(at) {
            mark(&mut template);
        }
        if !is_value(at) {
            template.push(word.lower.clone());
        }
    }
    let end = text.words.last().map_or(0, |word| word.end);
    if text.raw[end..].contains(VALUE) {
        mark(&mut template);
    }
    if text.raw.trim_end().ends_with('?') {
        template.push("?".to_owned());
    }
    template
}

/// "note that …": two words and more, one of which carries meaning.
fn opening(text: &Text) -> Vec<String> {
    const LEAST: usize = 2;
    let value = text.raw.find(VALUE).unwrap_or(0);
    let before = text.words.iter().take_while(|word| word.end <= value);
    let words: Vec<&super::super::words::Word> = before.collect();
    let tells = words.len() >= LEAST && words.iter().any(|word| !word.function);
    let words = words.into_iter().filter(|_| tells);
    words.map(|word| word.lower.clone()).collect()
}

fn terms(text: &Text) -> Vec<Vec<String>> {
    text.words
        .iter()
        .zip(LEXICON.read(text))
        .map(|(word, meaning)| {
            let keys = keys_of(word, &meaning);
            keys.into_iter().map(|(key, _)| key).collect::<Vec<_>>()
        })
        .filter(|keys| !keys.is_empty())
        .collect()
}

/// `values` are the places of all values: another one introduces nothing.
fn slot(text: &Text, param: &str, span: &Range<usize>, values: &[Range<usize>]) -> Slot {
    let first = text.words.partition_point(|word| word.start < span.start);
    let is_value = |at: usize| is_among(values, &text.words[at].span());
    let begin = (first.saturating_sub(LEAD_WORDS)..first)
        .rev()
        .take_while(|at| !is_value(*at))
        .last()
        .unwrap_or(first);
    let lead: Vec<String> = text.words[begin..first]
        .iter()
        .map(|word| word.lower.clone())
        .collect();
    let behind = text.raw.get(span.end..).unwrap_or_default();
    Slot {
        param: param.to_owned(),
        lead,
        last: !behind.chars().any(char::is_alphanumeric),
    }
}

fn place_of(say: &str, value: &Value) -> Option<Range<usize>> {
    let wanted = match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => return None,
    };
    // Lower case keeps the length of most texts; where it does not, the value is implied.
    let (low, wanted) = (normal(say), normal(&wanted));
    if low.len() != say.len() || wanted.is_empty() {
        return None;
    }
    let is_inside = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    low.match_indices(&wanted)
        .map(|(at, _)| at..at + wanted.len())
        .find(|span| {
            let before = low[..span.start].chars().next_back();
            let after = low[span.end..].chars().next();
            !is_inside(before) && !is_inside(after) && say.get(span.clone()).is_some()
        })
}
