//! The questions the model asks back. It keeps no state: a question is worded so that
//! it can be recognised again in the history, and that is all it remembers by.

use serde_json::Value;

use super::fill::Filled;
use super::index::{Index, ToolIndex};
use super::language::Language;
use super::param::{self, Param};

/// A question that waits for an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Question {
    /// Which of these tools is meant?
    Which(Vec<usize>),
    /// What is the value of these parameters?
    Missing { tool: usize, params: Vec<String> },
    /// Shall this really be done?
    Confirm { tool: usize },
}

/// So many things are asked for at a time.
const ASKED_AT_ONCE: usize = 2;

/// So many values are listed where one of them is meant.
const LISTED: usize = 5;

pub(super) fn which(index: &Index, tools: &[usize], language: Language) -> String {
    let choices: Vec<String> = tools
        .iter()
        .map(|t| format!("- {}", index.tools[*t].title))
        .collect();
    format!("{}\n{}", language.phrases().which, choices.join("\n"))
}

/// Asks for the first things that are missing.
pub(super) fn missing(tool: &ToolIndex, filled: &Filled, language: Language) -> String {
    let phrases = language.phrases();
    let mut lines = vec![phrases.missing.replace("{title}", &tool.title)];
    for param in filled.missing(tool).into_iter().take(ASKED_AT_ONCE) {
        let line = match filled.unclear.get(&param.name) {
            Some(values) => {
                let shown: Vec<&str> = values.iter().take(LISTED).map(String::as_str).collect();
                format!("- {}: {}?", param.ask, alternatives(&shown, phrases.or))
            }
            None => format!("- {}", param.ask),
        };
        lines.push(line);
    }
    lines.join("\n")
}

fn alternatives(values: &[&str], or: &str) -> String {
    match values {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [first @ .., last] => format!("{} {or} {last}", first.join(", ")),
    }
}

/// Asks what a change is to be, where nothing of it was said.
pub(super) fn which_value(tool: &ToolIndex, language: Language) -> String {
    let missing = language.phrases().missing.replace("{title}", &tool.title);
    let asks = tool
        .params
        .iter()
        .take(LISTED)
        .map(|param| format!("- {}", param.ask));
    std::iter::once(missing)
        .chain(asks)
        .collect::<Vec<_>>()
        .join("\n")
}

/// Asks which of these a text or a file is that was handed over.
pub(super) fn which_place(tool: &ToolIndex, free: &[&Param], language: Language) -> String {
    let missing = language.phrases().missing.replace("{title}", &tool.title);
    let asks = free.iter().map(|param| format!("- {}", param.ask));
    let lines: Vec<String> = std::iter::once(missing).chain(asks).collect();
    lines.join("\n")
}

/// The values that a question for one thing names, if it names any.
pub(super) fn listed(text: &str, param: &Param, language: Language) -> Vec<String> {
    let or = format!(" {} ", language.phrases().or);
    let mut lines = text.lines().filter_map(|line| {
        let asked = line.trim().strip_prefix("- ")?.strip_prefix(&param.ask)?;
        asked.strip_prefix(": ")?.strip_suffix('?')
    });
    let values = lines.next().map(|values| values.replace(&or, ", "));
    let values = values.iter().flat_map(|values| values.split(", "));
    values.map(str::to_owned).collect()
}

pub(super) fn confirm(tool: &ToolIndex, filled: &Filled, language: Language) -> String {
    let phrases = language.phrases();
    let mut lines = vec![phrases.confirm.replace("{title}", &tool.title)];
    for param in &tool.params {
        let several = filled.several.as_ref();
        let all = several.filter(|(name, _)| *name == param.name);
        if let Some((_, values)) = all {
            lines.push(format!("- {}: {}", param.ask, values.join(", ")));
        } else if let Some(value) = filled.values.get(&param.name) {
            let described = param::words_for(value, &param.description).map(str::to_owned);
            let value = described.unwrap_or_else(|| in_words(value, language));
            lines.push(format!("- {}: {value}", param.ask));
        }
    }
    lines.push(phrases.say_yes.to_owned());
    lines.join("\n")
}

/// A value as a person would write it.
pub(super) fn in_words(value: &Value, language: Language) -> String {
    let phrases = language.phrases();
    match value {
        Value::Bool(true) => phrases.yes.to_owned(),
        Value::Bool(false) => phrases.no.to_owned(),
        Value::String(text) => text.clone(),
        Value::Null => "–".to_owned(),
        Value::Number(number) => number.to_string(),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(|item| in_words(item, language)).collect();
            items.join(", ")
        }
        Value::Object(_) => value.to_string(),
    }
}

impl Question {
    /// The question in an earlier answer, if it ends with one.
    pub(super) fn recognise(answer: &str, index: &Index) -> Option<Question> {
        let lines: Vec<&str> = answer.lines().map(str::trim).collect();
        (0..lines.len()).rev().find_map(|at| {
            let after = &lines[at + 1..];
            Language::ALL
                .into_iter()
                .find_map(|language| Self::at(lines[at], after, index, language))
        })
    }

    fn at(line: &str, after: &[&str], index: &Index, language: Language) -> Option<Question> {
        let phrases = language.phrases();
        let bullets = || after.iter().filter_map(|line| line.strip_prefix("- "));
        if line == phrases.which {
            let tools: Vec<usize> = bullets()
                .filter_map(|title| index.tools.iter().position(|tool| tool.title == title))
                .collect();
            return (!tools.is_empty()).then_some(Question::Which(tools));
        }
        if let Some(tool) = titled(line, phrases.missing, index) {
            let params = bullets()
                .filter_map(|asked| asked_param(&index.tools[tool], asked))
                .map(|param| param.name.clone())
                .collect();
            return Some(Question::Missing { tool, params });
        }
        titled(line, phrases.confirm, index).map(|tool| Question::Confirm { tool })
    }
}

fn titled(line: &str, template: &str, index: &Index) -> Option<usize> {
    let (before, after) = template.split_once("{title}")?;
    let title = line.strip_prefix(before)?.strip_suffix(after)?;
    index.tools.iter().position(|tool| tool.title == title)
}

/// The parameter that was asked for so; of two that begin alike the longer.
fn asked_param<'a>(tool: &'a ToolIndex, asked: &str) -> Option<&'a Param> {
    tool.params
        .iter()
        .filter(|param| asked.starts_with(&param.ask))
        .max_by_key(|param| param.ask.len())
}

#[cfg(test)]
#[path = "question_tests.rs"]
mod question_tests;
