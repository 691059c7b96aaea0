//! An approval card in the terminal: the action, its editable fields and the decision.

use frontdesk_core::approval::{ApprovalCard, Decision};
use frontdesk_core::form::{self, Field, Input};
use frontdesk_core::preview::Preview;
use frontdesk_core::store::NewDecision;
use serde_json::{Map, Value};

use super::chat::{TypedInput, answer_to};
use super::paint::{Paint, printable};
use super::program;
use crate::card_words::{PageLanguage, parse_decision};

/// Typed to clear a field.
const NOTHING: &str = "-";

/// Longer values are truncated on screen only.
const SHOWN_CHARS: usize = 200;

pub(super) enum CardAnswer {
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
    language: PageLanguage,
}

impl<'a> CardPrompt<'a> {
    pub(super) fn new(card: &'a ApprovalCard, preview: Option<Preview>) -> Self {
        Self {
            card,
            preview,
            arguments: card.arguments.as_object().cloned().unwrap_or_default(),
            paint: Paint::for_stdout(),
            language: terminal_language(),
        }
    }

    pub(super) async fn ask(&mut self) -> anyhow::Result<CardAnswer> {
        self.show();
        loop {
            let line = match answer_to(&self.question()).await? {
                TypedInput::Line(line) => line.trim().to_lowercase(),
                TypedInput::Interrupt => return Ok(CardAnswer::Stop),
                TypedInput::End => {
                    self.tell_that_it_waits();
                    return Ok(CardAnswer::Later);
                }
            };
            let meant = match line.as_str() {
                "y" => Some(Decision::Approved),
                "" | "n" => Some(Decision::Rejected),
                other => parse_decision(other, self.card),
            };
            match (meant, self.missing().as_slice()) {
                (Some(Decision::Approved), []) => return Ok(CardAnswer::Decided(self.approval())),
                (Some(Decision::Approved), missing) => {
                    let fields = [("fields", missing.join(", "))];
                    let fields = fields
                        .each_ref()
                        .map(|(name, value)| (*name, value.as_str()));
                    self.complain(&self.language.phrase("terminal.missing", &fields));
                }
                (Some(decision @ (Decision::Rejected | Decision::Expired)), _) => {
                    return Ok(CardAnswer::Decided(decision.into()));
                }
                (None, _) if self.card.editable => self.edit(&line).await?,
                (None, _) => self.explain_keys(),
            }
        }
    }

    pub(super) fn complain(&self, problem: &str) {
        println!("  {}", self.paint.bad(&printable(problem)));
    }

    fn question(&self) -> String {
        let confirm = printable(&self.language.confirm(self.card));
        let keys = match self.card.editable {
            true => format!("[y/N, {}]", self.language.phrase("terminal.edits", &[])),
            false => "[y/N]".to_owned(),
        };
        format!("  {} ", self.paint.accent(&format!("{confirm}? {keys}")))
    }

    fn explain_keys(&self) {
        let confirm = printable(&self.language.confirm(self.card));
        let decline = printable(&self.language.decline(self.card));
        let values = [("confirm", confirm.as_str()), ("decline", &decline)];
        println!("  {}", self.language.phrase("terminal.keys", &values));
        if self.card.editable {
            println!("  {}", self.language.phrase("terminal.editKeys", &[]));
        }
    }

    fn show(&self) {
        let target = self.card.target.as_ref();
        // The preview describes the original target; hide it if the user changed the target.
        let is_changed = target.is_some_and(|target| {
            self.arguments.get(&target.argument) != self.card.arguments.get(&target.argument)
        });
        let preview = self.preview.as_ref().filter(|_| !is_changed);
        let changed;
        let card = match is_changed {
            true => {
                changed = ApprovalCard {
                    arguments: Value::Object(self.arguments.clone()),
                    ..self.card.clone()
                };
                &changed
            }
            false => self.card,
        };
        let title = self.language.title(card, preview);
        println!("  {}", self.paint.bold(&printable(&title)));
        println!(
            "    {}",
            self.paint
                .dim(&printable(&headline(self.language, self.card)))
        );
        for line in preview
            .map(|preview| preview_lines(self.language, preview))
            .unwrap_or_default()
        {
            println!("    {line}");
        }
        for line in card_lines(self.language, self.card, &self.arguments) {
            println!("    {line}");
        }
        let consequence = self.language.consequence(self.card);
        if !consequence.is_empty() {
            println!("    {}", self.paint.dim(&printable(&consequence)));
        }
    }

    fn missing(&self) -> Vec<String> {
        let fields = self.card.form.iter();
        let missing = fields.filter(|field| is_missing(field, &self.arguments));
        let label = |field: &Field| self.language.name("field", &field.name, &field.label);
        missing.map(label).collect()
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
                TypedInput::Line(line) => line.trim().to_owned(),
                TypedInput::Interrupt | TypedInput::End => return Ok(()),
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
            self.explain_keys();
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
            let label = self.language.name("field", &field.name, &field.label);
            let question = format!("    {}: ", printable(&label));
            let typed = match answer_to(&question).await? {
                TypedInput::Line(line) => line.trim().to_owned(),
                TypedInput::Interrupt | TypedInput::End => return Ok(()),
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
        let until = self.card.expires_at.format("%H:%M").to_string();
        let command = format!("{} approvals list", program());
        let values = [("time", until.as_str()), ("command", &command)];
        let waits = self.language.phrase("terminal.waits", &values);
        println!("\n  {}", self.paint.dim(&waits));
    }
}

/// The language of the terminal, by the variables that say so everywhere.
pub(super) fn terminal_language() -> PageLanguage {
    let mut found: [Option<String>; 3] = [None, None, None];
    for (name, value) in std::env::vars() {
        let place = match name.as_str() {
            "LC_ALL" => 0,
            "LC_MESSAGES" => 1,
            "LANG" => 2,
            _ => continue,
        };
        found[place] = Some(value).filter(|value| !value.is_empty());
    }
    let locale = found.into_iter().flatten().next();
    PageLanguage::of_locale(&locale.unwrap_or_default())
}

/// Whether it is a confirmation of one's own request or an approval of another's, and its end.
pub(super) fn headline(language: PageLanguage, card: &ApprovalCard) -> String {
    let until = card.expires_at.format("%H:%M").to_string();
    let until = language.phrase("terminal.until", &[("time", &until)]);
    let kind = match card.approvers.is_empty() {
        true => language.phrase("approval.check", &[]),
        false => language.phrase("approval.asks", &[("name", &card.requester)]),
    };
    format!("{}. {until}.", kind.trim_end_matches(':'))
}

/// The facts of a card's object, or why there are none.
pub(super) fn preview_lines(language: PageLanguage, preview: &Preview) -> Vec<String> {
    let facts = preview.facts.iter();
    let facts = facts.map(|fact| printable(&language.fact(fact)));
    let problem = preview.problem.as_ref();
    let problem = problem.map(|_| language.phrase("approval.noDetails", &[]));
    facts.chain(problem).collect()
}

/// The arguments line by line, with where a value came from; the fields of a form are numbered,
/// and empty ones shown.
pub(super) fn card_lines(
    language: PageLanguage,
    card: &ApprovalCard,
    arguments: &Map<String, Value>,
) -> Vec<String> {
    let line = |name: &str, label: &str, value: &Value| {
        let label = language.name("field", name, label);
        let shown: String = form::shown(value).chars().take(SHOWN_CHARS).collect();
        let mut origins = card.origins.iter();
        let origin = origins
            .find(|origin| origin.argument == name && card.arguments.get(name) == Some(value))
            .map(|origin| format!(" ({})", printable(&language.origin(&origin.source))));
        let origin = origin.unwrap_or_default();
        format!("{}: {}{origin}", printable(&label), printable(&shown))
    };
    if card.form.is_empty() {
        let given = arguments.iter();
        return given
            .map(|(name, value)| line(name, &form::words(name), value))
            .collect();
    }
    let fields = card.form.iter().enumerate().map(|(index, field)| {
        let number = index + 1;
        let label = language.name("field", &field.name, &field.label);
        match arguments.get(&field.name) {
            Some(value) => format!("{number:>2}  {}", line(&field.name, &field.label, value)),
            None if field.required => {
                let needed = language.phrase("terminal.needed", &[]);
                format!("{number:>2}  {label}: ({needed})")
            }
            None => format!("{number:>2}  {label}: –"),
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
