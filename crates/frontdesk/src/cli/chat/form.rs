//! A tool's form in the terminal: prompts field by field with the same validation as the call, then
//! shows a summary before sending.

use std::path::Path;

use frontdesk_core::form::{self, Field, Input};
use frontdesk_core::tool::ToolDef;
use frontdesk_core::toolbox::Toolbox;
use serde_json::{Map, Value};

use super::lines::{Lines, TypedInput};
use crate::cli::paint::{Paint, printable};
use crate::cli::remote::{Remote, attach};

const END_OF_TEXT: &str = ".";
/// Abandons a form at any field.
const CANCEL: &str = "/cancel";

/// Minimum Jaro-Winkler similarity for a "did you mean" suggestion.
const MIN_SIMILARITY: f64 = 0.75;
const CHOICE: &str = "\nNumber or name (Enter goes back): ";

pub(in crate::cli) struct Form<'a> {
    pub(in crate::cli) remote: &'a Remote,
    /// Gets the files that are uploaded.
    pub(in crate::cli) conversation: &'a str,
    pub(in crate::cli) toolbox: &'a Toolbox,
    pub(in crate::cli) tool: &'a ToolDef,
    pub(in crate::cli) paint: Paint,
}

/// Lists the tools and returns the number or name that the user typed.
pub(crate) async fn choose(
    tools: &[&ToolDef],
    paint: Paint,
    lines: &mut Lines,
) -> anyhow::Result<Option<String>> {
    if tools.is_empty() {
        println!("No actions are available at the moment.");
        return Ok(None);
    }
    for (number, tool) in tools.iter().enumerate() {
        println!(
            "  {:>2}  {}  {}",
            number + 1,
            printable(&tool.title()),
            paint.dim(&format!("/{}", tool.name))
        );
    }
    let choice = lines.next(CHOICE).await?;
    Ok(choice.filter(|choice| !choice.trim().is_empty()))
}

/// Finds a tool by number or name; the error is a message for the user.
pub(crate) fn find<'t>(tools: &[&'t ToolDef], choice: &str) -> Result<&'t ToolDef, String> {
    let choice = choice.trim().trim_start_matches('/');
    let number = choice.parse::<usize>().ok().and_then(|n| n.checked_sub(1));
    let found = match number {
        Some(number) => tools.get(number),
        None => tools.iter().find(|tool| tool.name == choice),
    };
    found.copied().ok_or_else(|| {
        let names = tools.iter().map(|tool| tool.name.as_ref());
        let likeness = |name: &str| strsim::jaro_winkler(name, choice);
        let near = names.max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
        let near = near.filter(|near| likeness(near) > MIN_SIMILARITY);
        let meant = near.map_or(String::new(), |near| format!(" Did you mean /{near}?"));
        format!("There is no /{choice} here.{meant}")
    })
}

enum FieldInput {
    Value(Value),
    Nothing,
    GivenUp,
}

impl Form<'_> {
    /// Returns the arguments, or `None` if the user cancelled.
    pub(crate) async fn fill(
        &self,
        lines: &mut Lines,
    ) -> anyhow::Result<Option<Map<String, Value>>> {
        let fields = form::fields(self.tool);
        println!("{}", self.paint.bold(&self.tool.title()));
        println!("{}", self.paint.dim(&self.tool.spec.description));
        if fields.is_empty() {
            return Ok(Some(Map::new()));
        }
        let hint = format!("Enter skips an optional field; {CANCEL} or Ctrl-C cancels.");
        println!("{}", self.paint.dim(&hint));
        let mut arguments = Map::new();
        for field in &fields {
            match self.enter(field, lines).await? {
                FieldInput::Value(value) => {
                    arguments.insert(field.name.clone(), value);
                }
                FieldInput::Nothing => {}
                FieldInput::GivenUp => return Ok(None),
            }
        }
        if !self.tool.spec.effect.writes() {
            return Ok(Some(arguments));
        }
        self.confirm(&fields, &arguments, lines)
            .await
            .map(|sure| sure.then_some(arguments))
    }

    /// Prompts until the value is valid, skipped or the form cancelled.
    async fn enter(&self, field: &Field, lines: &mut Lines) -> anyhow::Result<FieldInput> {
        self.describe(field);
        loop {
            let typed = match &field.input {
                Input::LongText => self.several_lines(lines).await?,
                Input::Text
                | Input::File
                | Input::Integer
                | Input::Number
                | Input::YesNo
                | Input::Choice(_)
                | Input::Date
                | Input::Time
                | Input::DateTime
                | Input::List(_)
                | Input::Json => one_line(lines, "    : ").await?,
            };
            let Some(typed) = typed else {
                return Ok(FieldInput::GivenUp);
            };
            if typed.trim().is_empty() {
                match (&field.default, field.required) {
                    (Some(default), _) => return Ok(FieldInput::Value(default.clone())),
                    (None, false) => return Ok(FieldInput::Nothing),
                    (None, true) => {
                        self.complain("This is needed.");
                        continue;
                    }
                }
            }
            match self.read(field, &typed).await? {
                Ok(value) => return Ok(FieldInput::Value(value)),
                Err(problem) => self.complain(&problem),
            }
        }
    }

    fn describe(&self, field: &Field) {
        let needed = if field.required { "" } else { ", optional" };
        let default = match &field.default {
            Some(default) => format!(", else {}", form::shown(default)),
            None => String::new(),
        };
        let kind = format!("({}{needed}{default})", field.input.hint());
        println!(
            "\n  {} {}",
            self.paint.accent(&printable(&field.label)),
            self.paint.dim(&kind)
        );
        if !field.help.is_empty() {
            println!("    {}", self.paint.dim(&printable(&field.help)));
        }
        if let Input::Choice(choices) = &field.input {
            for (number, choice) in choices.iter().enumerate() {
                println!("    {:>2}  {}", number + 1, printable(&form::shown(choice)));
            }
        }
        if matches!(field.input, Input::LongText) {
            let how = format!(
                "Write one or more lines and end with a line of just “{END_OF_TEXT}”, or give a file as @path."
            );
            println!("    {}", self.paint.dim(&how));
        }
    }

    fn complain(&self, problem: &str) {
        println!("    {}", self.paint.bad(problem));
    }

    async fn read(&self, field: &Field, typed: &str) -> anyhow::Result<Result<Value, String>> {
        let typed = match (&field.input, typed.trim().strip_prefix('@')) {
            (Input::File, path) => {
                let path = path.unwrap_or(typed.trim());
                match attach(self.remote, self.conversation, Path::new(path)).await {
                    Ok(id) => id,
                    Err(error) => return Ok(Err(format!("{error:#}."))),
                }
            }
            (Input::LongText, Some(path)) => match tokio::fs::read_to_string(path).await {
                Ok(text) => text,
                Err(error) => return Ok(Err(format!("{path} cannot be read: {error}."))),
            },
            (_, _) => typed.to_owned(),
        };
        let value = match field.read(&typed) {
            Ok(value) => value,
            Err(problem) => return Ok(Err(problem)),
        };
        let problem = self
            .toolbox
            .problem_with(&self.tool.name, &field.name, &value);
        Ok(match problem {
            Some(problem) => Err(format!("That does not fit: {}.", printable(&problem))),
            None => Ok(value),
        })
    }

    async fn several_lines(&self, lines: &mut Lines) -> anyhow::Result<Option<String>> {
        let mut text = String::new();
        loop {
            let Some(line) = one_line(lines, "    | ").await? else {
                return Ok(None);
            };
            let first = text.is_empty();
            if line == END_OF_TEXT || (first && (line.is_empty() || line.starts_with('@'))) {
                let whole = if line == END_OF_TEXT { text } else { line };
                return Ok(Some(whole));
            }
            if !first {
                text.push('\n');
            }
            text.push_str(&line);
        }
    }

    async fn confirm(
        &self,
        fields: &[Field],
        arguments: &Map<String, Value>,
        lines: &mut Lines,
    ) -> anyhow::Result<bool> {
        println!();
        for field in fields {
            if let Some(value) = arguments.get(&field.name) {
                let shown: String = form::shown(value).chars().take(200).collect();
                println!("  {}: {}", field.label, printable(&shown));
            }
        }
        let question = format!("  {} [Y/n] ", self.tool.title());
        Ok(match one_line(lines, &question).await? {
            Some(answer) => matches!(answer.trim().to_lowercase().as_str(), "" | "y" | "yes"),
            None => false,
        })
    }
}

/// `None` if the user cancels or the input ends.
async fn one_line(lines: &mut Lines, prompt: &str) -> anyhow::Result<Option<String>> {
    Ok(match lines.ask(prompt).await? {
        TypedInput::Line(line) if line.trim() == CANCEL => None,
        TypedInput::Line(line) => Some(line),
        TypedInput::Interrupt | TypedInput::End => None,
    })
}
