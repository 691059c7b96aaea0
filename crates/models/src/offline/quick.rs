//! Answers that a person can give with one click: to our own questions, and what can be
//! looked at at once where nothing else is under way.

use super::elsewhere::way_there;
use super::index::{Index, ToolIndex};
use super::language::Language;
use super::param::{Kind, Param};
use super::question::{Question, listed};

/// More are no help, and not every screen has room for them.
const MOST: usize = 4;
/// So many tools are suggested to somebody who does not know what to ask.
const SUGGESTED: usize = 3;

pub(super) fn replies(text: &str, index: &Index, language: Language) -> Vec<String> {
    let phrases = language.phrases();
    if let Some(way) = way_there(text, index, language) {
        return vec![way];
    }
    match Question::recognise(text, index) {
        Some(Question::Which(tools)) => {
            let titles = tools.iter().map(|tool| index.tools[*tool].title.clone());
            titles.take(MOST).collect()
        }
        Some(Question::Confirm { .. }) => vec![capital(phrases.yes), capital(phrases.no)],
        Some(Question::Missing { tool, params }) => match params.as_slice() {
            // With two open questions nobody can tell what a "yes" answers.
            [only] => of_param(index.tools[tool].param(only), text, language),
            [] | [_, _, ..] => Vec::new(),
        },
        None if text.contains(phrases.can_do) => {
            let now = index.tools.iter().filter(|tool| is_looked_at_at_once(tool));
            now.map(|tool| tool.title.clone()).take(SUGGESTED).collect()
        }
        None => Vec::new(),
    }
}

fn of_param(param: Option<&Param>, text: &str, language: Language) -> Vec<String> {
    let phrases = language.phrases();
    // "who: Anna or Boris?"
    let listed = param.map(|param| listed(text, param, language));
    if let Some(listed) = listed.filter(|listed| (2..=MOST).contains(&listed.len())) {
        return listed;
    }
    match param.map(|param| &param.kind) {
        Some(Kind::Boolean) => vec![capital(phrases.yes), capital(phrases.no)],
        Some(Kind::Enum(choices)) if choices.len() <= MOST => {
            choices.iter().map(super::param::Choice::in_words).collect()
        }
        Some(_) | None => Vec::new(),
    }
}

/// A click must not change anything, and must not lead to another question.
fn is_looked_at_at_once(tool: &ToolIndex) -> bool {
    !tool.writes && tool.params.iter().all(|param| !param.required)
}

fn capital(word: &str) -> String {
    super::param::capitalised(word)
}

#[cfg(test)]
#[path = "quick_tests.rs"]
mod quick_tests;
