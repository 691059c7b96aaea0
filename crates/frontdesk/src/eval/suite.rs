//! The format of a suite: messages, and the required and forbidden results.
//!
//! ```toml
//! tools = "described"            # or "real": tools are run, over the demo's data
//! [[case]]
//! as = "hr"
//! before = [{ user = "Hello" }, { assistant = "Hello! What can I do?" }]
//! say = "Book a room for Ali Khan"
//! asks = "Which day"             # part of the words that must come, without any call
//! [[case.then]]                  # the next message of the conversation
//! say = "on Friday, for the budget talk"
//! calls = [{ tool = "book_room", with = { person = "Ali Khan" }, like = { purpose = { contains = "budget" } } }]
//! never = ["cancel_room"]        # calls that must not come
//! says = ["booked|reserved"]     # facts of the answer, each with its alternatives
//! says_not = ["cancelled"]
//! cites = ["office/rooms.md"]    # ends of the addresses of sources
//! approve = true                 # the person confirms what waits for them
//! documents = [{ kind = "plan", has = ["Friday"], lacks = ["secret"], quotes = true, language = "en", most_words = 600 }]
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;
use toml::Spanned;

use super::document::ExpectedDocument;

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Suite {
    /// Defaults to the assistant whose folder contains the file.
    pub assistant: Option<String>,
    #[serde(default)]
    pub tools: Tools,
    /// The suite judges a language model's writing, so the offline model is skipped.
    #[serde(default)]
    pub language_model: bool,
    /// Percentage of cases that must pass; 100 by default.
    pub threshold: Option<f64>,
    #[serde(rename = "case")]
    pub cases: Vec<Spanned<Case>>,
}

/// The handling of tool calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tools {
    /// Calls do not run: the case defines their results, and the model is judged by its decisions.
    #[default]
    Described,
    /// Calls run in a separate data folder with demo data.
    Real,
}

/// One conversation.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// Defaults to the first words of the message.
    pub name: Option<String>,
    /// The persona that writes the messages.
    #[serde(rename = "as")]
    pub persona: String,
    /// The phase of the conversation; the first phase by default.
    pub phase: Option<String>,
    /// Lines of context that the assistant gives the model.
    #[serde(default)]
    pub context: Vec<String>,
    /// The history of the conversation.
    #[serde(default)]
    pub before: Vec<HistoryLine>,
    pub say: String,
    #[serde(default)]
    pub files: Vec<String>,
    /// A long text pasted after the message.
    pub paste: Option<String>,
    #[serde(default)]
    pub calls: Vec<Expected>,
    #[serde(default)]
    pub asks: String,
    #[serde(default)]
    pub never: Vec<String>,
    #[serde(default)]
    pub says: Vec<String>,
    #[serde(default)]
    pub says_not: Vec<String>,
    #[serde(default)]
    pub cites: Vec<String>,
    /// Approve the cards that wait for this person.
    #[serde(default)]
    pub approve: bool,
    #[serde(default)]
    pub documents: Vec<ExpectedDocument>,
    /// Tool results by tool name; the call's arguments by default.
    #[serde(default)]
    pub returns: BTreeMap<String, String>,
    #[serde(default)]
    pub then: Vec<Turn>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HistoryLine {
    User(String),
    Assistant(String),
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Turn {
    pub say: String,
    #[serde(default)]
    pub files: Vec<String>,
    pub paste: Option<String>,
    #[serde(default)]
    pub calls: Vec<Expected>,
    #[serde(default)]
    pub asks: String,
    #[serde(default)]
    pub never: Vec<String>,
    #[serde(default)]
    pub says: Vec<String>,
    #[serde(default)]
    pub says_not: Vec<String>,
    #[serde(default)]
    pub cites: Vec<String>,
    /// Approve the cards that wait for this person.
    #[serde(default)]
    pub approve: bool,
    #[serde(default)]
    pub documents: Vec<ExpectedDocument>,
}

/// A required call: exact arguments in `with`, matchers in `like`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expected {
    pub tool: String,
    #[serde(default)]
    pub with: serde_json::Map<String, Value>,
    #[serde(default)]
    pub like: BTreeMap<String, Matcher>,
}

/// A condition on an argument with free wording.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Matcher {
    /// Contains this text, ignoring case.
    Contains(String),
    OneOf(Vec<Value>),
    /// `true`: must be present. `false`: may be absent.
    Any(bool),
}

/// A problem in a suite file and its line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct SuiteError {
    pub line: usize,
    pub reason: String,
}

impl SuiteError {
    pub(super) fn of(text: &str, error: &toml::de::Error) -> Self {
        let at = error.span().map_or(0, |span| span.start);
        Self::at(text, at, error.message())
    }

    pub(super) fn at(text: &str, byte: usize, reason: impl Into<String>) -> Self {
        let before = text.get(..byte).unwrap_or(text);
        Self {
            line: before.matches('\n').count() + 1,
            reason: reason.into(),
        }
    }
}

impl Suite {
    pub fn parse(text: &str) -> Result<Self, SuiteError> {
        let suite: Suite = toml::from_str(text).map_err(|error| SuiteError::of(text, &error))?;
        if suite.cases.is_empty() {
            return Err(SuiteError::at(
                text,
                0,
                "a suite needs at least one [[case]]",
            ));
        }
        for case in &suite.cases {
            if let Err(reason) = suite.sound(case.get_ref()) {
                return Err(SuiteError::at(text, case.span().start, reason));
            }
        }
        Ok(suite)
    }

    /// Reports the first case with an unknown persona or tool.
    pub fn check(
        &self,
        text: &str,
        people: &BTreeSet<&str>,
        tools: &BTreeSet<&str>,
    ) -> Result<(), SuiteError> {
        for case in &self.cases {
            let at = |reason| SuiteError::at(text, case.span().start, reason);
            let case = case.get_ref();
            if !people.contains(case.persona.as_str()) {
                let known: Vec<&str> = people.iter().copied().collect();
                return Err(at(format!(
                    "there is no demo person named {}; there are {}",
                    case.persona,
                    known.join(", ")
                )));
            }
            for turn in case.turns() {
                let named = turn.calls.iter().map(|expected| &expected.tool);
                if let Some(tool) = named
                    .chain(&turn.never)
                    .find(|tool| !tools.contains(tool.as_str()))
                {
                    return Err(at(format!("there is no tool named {tool}")));
                }
            }
        }
        Ok(())
    }

    fn sound(&self, case: &Case) -> Result<(), String> {
        for turn in case.turns() {
            if turn.say.trim().is_empty() {
                return Err("`say` must not be empty".to_owned());
            }
            if self.tools == Tools::Described && !turn.cites.is_empty() {
                return Err("`cites` needs tools = \"real\": nothing is found otherwise".to_owned());
            }
            if self.tools == Tools::Described && (turn.approve || !turn.documents.is_empty()) {
                let problem =
                    "`documents` and `approve` need tools = \"real\": nothing is made otherwise";
                return Err(problem.to_owned());
            }
        }
        let real = self.tools == Tools::Real;
        if real && (!case.returns.is_empty() || !case.context.is_empty()) {
            return Err("`returns` and `context` are for tools = \"described\"".to_owned());
        }
        let turns_about = |pair: &[HistoryLine]| {
            matches!(pair, [HistoryLine::User(_), HistoryLine::Assistant(_)])
        };
        if !case.before.chunks(2).all(turns_about) {
            return Err("`before` goes { user = … }, { assistant = … } in turns".to_owned());
        }
        Ok(())
    }
}

impl Case {
    /// Includes the first message.
    pub fn turns(&self) -> impl Iterator<Item = Turn> + '_ {
        let first = Turn {
            say: self.say.clone(),
            files: self.files.clone(),
            paste: self.paste.clone(),
            calls: self.calls.clone(),
            asks: self.asks.clone(),
            never: self.never.clone(),
            says: self.says.clone(),
            says_not: self.says_not.clone(),
            cites: self.cites.clone(),
            approve: self.approve,
            documents: self.documents.clone(),
        };
        std::iter::once(first).chain(self.then.iter().cloned())
    }

    /// The name of the case in reports.
    pub fn title(&self) -> String {
        const LONGEST: usize = 80;
        let words = self.name.as_deref().unwrap_or(&self.say);
        let line: String = words.split_whitespace().collect::<Vec<_>>().join(" ");
        match line.char_indices().nth(LONGEST) {
            Some((end, _)) => format!("{}…", &line[..end]),
            None => line,
        }
    }
}

/// The assistant whose `evals` folder contains the file.
pub fn assistant_of(path: &Path) -> Option<String> {
    let folder = path.parent()?;
    if folder.file_name()? != "evals" {
        return None;
    }
    Some(folder.parent()?.file_name()?.to_string_lossy().into_owned())
}

#[cfg(test)]
#[path = "suite_tests.rs"]
mod suite_tests;
