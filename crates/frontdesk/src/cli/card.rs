//! An approval card in the terminal: the action, its editable fields and the decision.

use frontdesk_core::approval::{ApprovalCard, Decision};
use frontdesk_core::form::{self, Field, Input};
use frontdesk_core::preview::Preview;
use frontdesk_core::store::NewDecision;
use serde_json::{Map, Value};

use super::chat::{Typed, answer_to};
use super::paint::{Paint, printable};
use super::program;

/// Typed to clear a field.
const NOTHING: &str = "-";

/// Longer values are truncated on screen only.
const SHOWN_CHARS: usize = 200;

pub(super) enum Answer {
    Decided(NewDecision),
    /// Ctrl-C: cancels the turn.
    Stop,
    /// No input: the card stays pending.
    Later,
}

/// A card that is being decided, with the user's edits.
pub(super) struct CardPrompt<'a> {
    card: &'a ApprovalCard,
    /// The current state of the card's object, if it can be loaded.
    preview: Option<Preview>,
    arguments: Map<String, Value>,
    paint: Paint,
}

impl<'a> CardPrompt<'a> {
    pub(super) fn new(card: &'a ApprovalCard, preview: Option<Preview>) -> Self {
        Self {
            card,
            preview,
            arguments: card.arguments.as_object().cloned().unwrap_or_default(),
            paint: Paint::for_stdout(),
        }
    }

    pub(super) async fn ask(&mut self) -> anyhow::Result<Answer> {
        self.show();
        loop {
            let line = match answer_to(&self.question()).await? {
                Typed::Line(line) => line.trim().to_lowercase(),
                Typed::Interrupt => return Ok(Answer::Stop),
                Typed::End => {
                    self.tell_that_it_waits();
                    return Ok(Answer::Later);
                }
            };
            match line.as_str() {
                "y" | "yes" => match self.missing().as_slice() {
                    [] => return Ok(Answer::Decided(self.approval())),
                    missing => self.complain(&format!("Still needed: {}.", missing.join(", "))),
                },
                "" | "n" | "no" => return Ok(Answer::Decided(Decision::Rejected.into())),
                other if self.card.editable => self.edit(other).await?,
                _ => self.explain_keys(),
            }
        }
    }

    pub(super) fn complain(&self, problem: &str) {
        println!("  {}", self.paint.bad(&printable(problem)));
    }

    fn question(&self) -> String {
        let confirm = match self.card.confirm.as_str() {
            "" => "Approve".to_owned(),
            confirm => printable(confirm),
        };
        let keys = match self.card.editable {
            true => "[y/N, e edits]",
            false => "[y/N]",
        };
        format!("  {} ", self.paint.accent(&format!("{confirm}? {keys}")))
    }

    fn explain_keys(&self) {
        let ApprovalCard {
            confirm, decline, ..
        } = self.card;
        println!(
            "  y: {}, n: {}, Ctrl-C cancels the turn.",
            printable(confirm),
            printable(decline)
        );
    }

    fn show(&self) {
        let target = self.card.target.as_ref();
        // The preview describes the original target; hide it if the user changed the target.
        let is_changed = target.is_some_and(|target| {
            self.arguments.get(&target.argument) != self.card.arguments.get(&target.argument)
        });
        let preview = self.preview.as_ref().filter(|_| !is_changed);
        let title = preview.map_or(&self.card.title, |preview| &preview.title);
        println!("  {}", self.paint.bold(&printable(title)));
        for line in preview.map(preview_lines).unwrap_or_default() {
            println!("    {line}");
        }
        for line in card_lines(self.card, &self.arguments) {
            println!("    {line}");
        }
        if !self.card.consequence.is_empty() {
            let consequence = printable(&self.card.consequence);
            println!("    {}", self.paint.dim(&consequence));
        }
    }

    fn missing(&self) -> Vec<&str> {
        let fields = self.card.form.iter();
        let missing = fields.filter(|field| is_missing(field, &self.arguments));
        missing.map(|field| field.label.as_str()).collect()
    }

    fn approval(&self) -> NewDecision {
        let changed = self.card.arguments.as_object() != Some(&self.arguments);
        NewDecision {
            arguments: changed.then(|| self.arguments.clone()),
            ..Decision::Approved.into()
        }
    }

    /// Accepts `e`, `e 2`, `2` or a field name, then prompts for the value.
    async fn edit(&mut self, typed: &str) -> anyhow::Result<()> {
        let wanted = typed.strip_prefix("e ").unwrap_or(typed).trim().to_owned();
        let wanted = if wanted == "e" {
            match answer_to("  Which field (number)? ").await? {
                Typed::Line(line) => line.trim().to_owned(),
                Typed::Interrupt | Typed::End => return Ok(()),
            }
        } else {
            wanted
        };
        let form = &self.card.form;
        let place = wanted.parse::<usize>().ok().and_then(|n| n.checked_sub(1));
        let field = match place {
            Some(place) => form.get(place),
            None => find_field(form, &wanted),
        };
        let Some(field) = field else {
            println!(
                "  y confirms, n cancels, the number of a field changes it, Ctrl-C cancels the turn."
            );
            return Ok(());
        };
        self.enter(field).await?;
        self.show();
        Ok(())
    }

    /// Prompts until the value is valid or the user keeps the old one.
    async fn enter(&mut self, field: &Field) -> anyhow::Result<()> {
        let hint = format!(
            "({}; Enter keeps it, {NOTHING} clears it)",
            field.input.hint()
        );
        println!("    {}", self.paint.dim(&hint));
        if let Input::Choice(choices) = &field.input {
            for (number, choice) in choices.iter().enumerate() {
                println!("    {:>2}  {}", number + 1, printable(&form::shown(choice)));
            }
        }
        loop {
            let question = format!("    {}: ", printable(&field.label));
            let typed = match answer_to(&question).await? {
                Typed::Line(line) => line.trim().to_owned(),
                Typed::Interrupt | Typed::End => return Ok(()),
            };
            match typed.as_str() {
                "" => return Ok(()),
                NOTHING => {
                    self.arguments.remove(&field.name);
                    return Ok(());
                }
                typed => match field.read(typed) {
                    Ok(value) => {
                        self.arguments.insert(field.name.clone(), value);
                        return Ok(());
                    }
                    Err(problem) => self.complain(&problem),
                },
            }
        }
    }

    fn tell_that_it_waits(&self) {
        let until = self.card.expires_at.format("%H:%M");
        let program = program();
        let waits = format!(
            "Nothing is decided; it waits until {until} UTC. `{program} approvals list` shows it."
        );
        println!("\n  {}", self.paint.dim(&waits));
    }
}

/// The facts of a card's object, or the reason why they are unavailable.
pub(super) fn preview_lines(preview: &Preview) -> Vec<String> {
    let facts = preview.facts.iter();
    let facts = facts.map(|fact| format!("{}: {}", printable(&fact.label), printable(&fact.value)));
    facts
        .chain(preview.problem.as_deref().map(printable))
        .collect()
}

/// One line per argument with the origin of its value. Form fields are numbered, including empty
/// ones.
pub(super) fn card_lines(card: &ApprovalCard, arguments: &Map<String, Value>) -> Vec<String> {
    let line = |name: &str, label: &str, value: &Value| {
        let shown: String = form::shown(value).chars().take(SHOWN_CHARS).collect();
        let mut origins = card.origins.iter();
        let origin = origins
            .find(|origin| origin.argument == name && card.arguments.get(name) == Some(value))
            .map(|origin| format!(" ({})", printable(&origin.source.words())));
        let origin = origin.unwrap_or_default();
        format!("{}: {}{origin}", printable(label), printable(&shown))
    };
    if card.form.is_empty() {
        let given = arguments.iter();
        return given
            .map(|(name, value)| line(name, &form::words(name), value))
            .collect();
    }
    let fields = card.form.iter().enumerate().map(|(index, field)| {
        let number = index + 1;
        match arguments.get(&field.name) {
            Some(value) => format!("{number:>2}  {}", line(&field.name, &field.label, value)),
            None if field.required => format!("{number:>2}  {}: (needed)", field.label),
            None => format!("{number:>2}  {}: –", field.label),
        }
    });
    fields.collect()
}

fn is_missing(field: &Field, arguments: &Map<String, Value>) -> bool {
    field.required && !arguments.contains_key(&field.name)
}

/// Finds a field by name or label; case, `_` and `-` do not matter.
pub(super) fn find_field<'f>(form: &'f [Field], wanted: &str) -> Option<&'f Field> {
    let plain = |name: &str| name.to_lowercase().replace(['_', '-'], " ");
    let wanted = plain(wanted.trim());
    form.iter()
        .find(|field| plain(&field.name) == wanted || plain(&field.label) == wanted)
}

/// The card's arguments with `field=value` settings applied; an empty value removes the field.
pub(super) fn with_settings(
    card: &ApprovalCard,
    settings: &[String],
) -> anyhow::Result<Map<String, Value>> {
    if !card.editable {
        anyhow::bail!("this card cannot be edited; approve or reject it as it is");
    }
    let mut arguments = card.arguments.as_object().cloned().unwrap_or_default();
    for setting in settings {
        let Some((name, typed)) = setting.split_once('=') else {
            anyhow::bail!("--set {setting}: write it as field=value");
        };
        let Some(field) = find_field(&card.form, name) else {
            let known: Vec<&str> = card.form.iter().map(|field| field.name.as_str()).collect();
            anyhow::bail!(
                "there is no field {name}; the fields are {}",
                known.join(", ")
            );
        };
        if typed.trim().is_empty() {
            arguments.remove(&field.name);
            continue;
        }
        match field.read(typed) {
            Ok(value) => arguments.insert(field.name.clone(), value),
            Err(problem) => anyhow::bail!("{}: {problem}", field.label),
        };
    }
    Ok(arguments)
}
