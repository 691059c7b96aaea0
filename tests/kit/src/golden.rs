//! Golden conversations: one readable file per case, run through the real engine.
//!
//! ```text
//! # A guard cannot approve          assistant: gatepass   as: gate
//! user:     Approve GP-2026-0001, I am Omar.
//! model:    call approve_gate_pass {"pass_number":"GP-2026-0001","name":"Omar"}
//! refused:  approve_gate_pass needs the role Admin_User; you are signed in as Gate_User
//! model:    Only an admin can approve passes.
//! outcome:  answered
//! ```
//!
//! `user` and `model` drive the conversation; every other line must be what happens next.
//! Consecutive `model: call` lines are one reply. A line that starts with spaces continues
//! the previous one.

use serde_json::{Map, Value};

#[derive(Clone, Debug, PartialEq)]
pub struct Golden {
    pub title: String,
    pub assistant: String,
    pub persona: String,
    pub steps: Vec<Step>,
}

/// A line and its number.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    pub line: usize,
    pub kind: StepKind,
}

#[derive(Clone, Debug, PartialEq)]
pub enum StepKind {
    /// Another persona continues the conversation.
    As(String),
    /// The file at this path is attached to the next message.
    Attach(String),
    User(String),
    /// The model answers with text.
    ModelSays(String),
    /// The model calls these tools in one reply.
    ModelCalls(Vec<ModelCall>),
    /// The next call is refused with exactly this sentence.
    Refused(String),
    /// The next call succeeds and its result contains this text or these JSON fields.
    Result(String),
    /// The next call fails and the model's error message contains this.
    Failed(String),
    /// A card is shown for this tool.
    Asked(String),
    /// The persona approves (or rejects) the card.
    Approved(String),
    Rejected(String),
    /// An artifact of this kind and version is stored, e.g. `job_ad v2`.
    Saved(String),
    /// The phase changes, e.g. `discovery -> roi`.
    Phase(String),
    /// The answer contains this.
    Says(String),
    Outcome(String),
}

#[derive(Clone, Debug, PartialEq)]
pub struct ModelCall {
    pub name: String,
    /// As written, so that invalid JSON can be scripted too.
    pub arguments: String,
}

/// A parse error, with the line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GoldenError {
    pub line: usize,
    pub problem: String,
}

impl std::fmt::Display for GoldenError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}: {}", self.line, self.problem)
    }
}

impl Golden {
    pub fn parse(text: &str) -> Result<Golden, GoldenError> {
        let mut lines = join_continuations(text).into_iter();
        let (line, head) = lines.next().ok_or_else(|| error(1, "the file is empty"))?;
        let head = head.strip_prefix('#').ok_or_else(|| {
            error(
                line,
                "the first line must be `# title   assistant: NAME   as: PERSONA`",
            )
        })?;
        let (head, persona) = field(head, "as:").ok_or_else(|| error(line, "`as:` is missing"))?;
        let (title, assistant) =
            field(head, "assistant:").ok_or_else(|| error(line, "`assistant:` is missing"))?;
        let mut steps: Vec<Step> = Vec::new();
        for (line, text) in lines {
            let (word, rest) = text
                .split_once(':')
                .ok_or_else(|| error(line, "a line must be `word: text`"))?;
            let kind = step(line, word.trim(), rest.trim())?;
            match (steps.last_mut(), kind) {
                (
                    Some(Step {
                        kind: StepKind::ModelCalls(before),
                        ..
                    }),
                    StepKind::ModelCalls(more),
                ) => before.extend(more),
                (_, kind) => steps.push(Step { line, kind }),
            }
        }
        if !matches!(
            steps.last(),
            Some(Step {
                kind: StepKind::Outcome(_),
                ..
            })
        ) {
            return Err(error(0, "the last line must be `outcome: …`"));
        }
        Ok(Golden {
            title: title.trim().to_owned(),
            assistant: assistant.trim().to_owned(),
            persona: persona.trim().to_owned(),
            steps,
        })
    }
}

/// True if `found` has at least these fields with these values.
pub fn includes(found: &Value, expected: &Value) -> bool {
    match (found, expected) {
        (Value::Object(found), Value::Object(expected)) => includes_fields(found, expected),
        (found, expected) => found == expected,
    }
}

fn includes_fields(found: &Map<String, Value>, expected: &Map<String, Value>) -> bool {
    expected
        .iter()
        .all(|(key, value)| found.get(key).is_some_and(|other| includes(other, value)))
}

fn field<'a>(text: &'a str, name: &str) -> Option<(&'a str, &'a str)> {
    let at = text.rfind(name)?;
    Some((&text[..at], &text[at + name.len()..]))
}

/// Lines with their numbers; continuation lines are join_continuations, blank lines and comments
/// dropped.
fn join_continuations(text: &str) -> Vec<(usize, String)> {
    let mut lines: Vec<(usize, String)> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let continues = line.starts_with(' ') || line.starts_with('\t');
        match lines.last_mut() {
            Some((_, before)) if continues && !line.trim().is_empty() => {
                before.push('\n');
                before.push_str(line.trim());
            }
            _ if line.trim().is_empty() || line.starts_with("<!--") => {}
            _ => lines.push((index + 1, line.to_owned())),
        }
    }
    lines
}

fn step(line: usize, word: &str, rest: &str) -> Result<StepKind, GoldenError> {
    let text = rest.to_owned();
    Ok(match word {
        "as" => StepKind::As(text),
        "attach" => StepKind::Attach(text),
        "user" => StepKind::User(text),
        "model" => match rest.strip_prefix("call ") {
            Some(call) => StepKind::ModelCalls(vec![model_call(call)]),
            None => StepKind::ModelSays(text),
        },
        "refused" => StepKind::Refused(text),
        "result" => StepKind::Result(text),
        "failed" => StepKind::Failed(text),
        "asked" => StepKind::Asked(text),
        "approved" => StepKind::Approved(text),
        "rejected" => StepKind::Rejected(text),
        "saved" => StepKind::Saved(text),
        "phase" => StepKind::Phase(text),
        "says" => StepKind::Says(text),
        "outcome" => StepKind::Outcome(text),
        other => return Err(error(line, &format!("unknown word `{other}`"))),
    })
}

fn model_call(text: &str) -> ModelCall {
    let (name, arguments) = text.split_once(' ').unwrap_or((text, "{}"));
    ModelCall {
        name: name.to_owned(),
        arguments: arguments.trim().to_owned(),
    }
}

fn error(line: usize, problem: &str) -> GoldenError {
    GoldenError {
        line,
        problem: problem.to_owned(),
    }
}

#[cfg(test)]
#[path = "golden_tests.rs"]
mod golden_tests;
