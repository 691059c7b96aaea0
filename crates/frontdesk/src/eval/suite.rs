//! The format of a suite: what people say, and what must and must not follow.
//!
//! ```toml
//! tools = "described"            # or "real": tools are run, over the demo's data
//! [[case]]
//! as = "hr"
//! before = [{ user = "Hello" }, { assistant = "Hello! What can I do?" }]
//! say = "Book a room for Ali Khan"
//! asks = "Which day"             # part of the words that must come, without any call
//! [[case.then]]                  # the same conversation goes on
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

/// A file of cases.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Suite {
    /// Who is asked; else the assistant in whose folder the file lies.
    pub assistant: Option<String>,
    #[serde(default)]
    pub tools: Tools,
    /// It judges what a language model writes, so the offline one is not asked.
    #[serde(default)]
    pub language_model: bool,
    /// Share of cases, in percent, that must pass; 100 unless given.
    pub threshold: Option<f64>,
    #[serde(rename = "case")]
    pub cases: Vec<Spanned<Case>>,
}

/// What becomes of a call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tools {
    /// Nothing: the model is judged by its decisions, and told what the case says.
    #[default]
    Described,
    /// It runs as it would for people, in a folder of its own with the demo's data.
    Real,
}

/// One conversation.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// What it is about; else its first words.
    pub name: Option<String>,
    /// The persona who speaks.
    #[serde(rename = "as")]
    pub persona: String,
    /// The phase of the conversation; the first one unless given.
    pub phase: Option<String>,
    /// What the assistant tells the model about the moment, line by line.
    #[serde(default)]
    pub context: Vec<String>,
    /// The conversation so far.
    #[serde(default)]
    pub before: Vec<HistoryLine>,
    pub say: String,
    #[serde(default)]
    pub files: Vec<String>,
    /// A long text that is pasted after the words.
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
    /// The person confirms what waits for them.
    #[serde(default)]
    pub approve: bool,
    #[serde(default)]
    pub documents: Vec<ExpectedDocument>,
    /// What tools bring, by name; else their arguments come back.
    #[serde(default)]
    pub returns: BTreeMap<String, String>,
    #[serde(default)]
    pub then: Vec<Turn>,
}

/// A line of the conversation so far.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HistoryLine {
    User(String),
    Assistant(String),
}

/// One message of a conversation.
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
    /// The person confirms what waits for them.
    #[serde(default)]
    pub approve: bool,
    #[serde(default)]
    pub documents: Vec<ExpectedDocument>,
}

/// A call that must come: exactly these arguments, and these within bounds.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expected {
    pub tool: String,
    #[serde(default)]
    pub with: serde_json::Map<String, Value>,
    #[serde(default)]
    pub like: BTreeMap<String, Matcher>,
}

/// What an argument must be like where its words are free.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Matcher {
    /// It has this in it, whatever the case of letters.
    Contains(String),
    OneOf(Vec<Value>),
    /// `true`: it is there. `false`: it may be missing.
    Any(bool),
}

/// Why a suite cannot be used: where, and what is wrong there.
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

    /// Says which case names a person or a tool that is not there.
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
    /// All messages, the first one included.
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

    /// What it is called in a report.
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

/// The assistant in whose `evals` folder a file lies.
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
