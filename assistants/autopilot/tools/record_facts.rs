//! Records facts about the building. A model passes facts with their quotes; without any, code reads the newest message.
//! Either way a fact needs the person's own words.

use frontdesk_core::artifact::Author;
use frontdesk_core::tool::{Tool, ToolContext, ToolError, ToolSpec};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::domain::discovery::{Discovery, Fact, FactChange, FactDraft, LaborRate, State, checked};
use crate::domain::keys::Key;
use crate::domain::money::dollars;
use crate::domain::reading;
use crate::domain::roi::{Confidence, InputName};
use crate::domain::units::{Unit, check_unit};
use crate::journey::{self, DISCOVERY_PHASE};

pub(super) struct RecordFacts;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// Stated facts; leave out to have the person's newest message read.
    #[serde(default)]
    #[schemars(length(max = 26))]
    facts: Option<Vec<StatedFact>>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct StatedFact {
    key: Key,
    /// The answer, e.g. "6", "Pickleball Club", "2 hr", "$3,500 a month", "1,000 m²".
    #[schemars(length(min = 1, max = 300))]
    value: String,
    /// The person's own words that say so, word for word.
    #[schemars(length(min = 1, max = 300))]
    quote: String,
    #[serde(default)]
    confidence: Option<Confidence>,
}

#[derive(Serialize)]
pub(super) struct FactsAnswer {
    #[serde(flatten)]
    outcome: Outcome,
    discovery_state: State,
    ask_next: Vec<journey::Question>,
    #[serde(skip)]
    text: String,
}

/// The effect of a message or of a model's facts.
#[derive(Default, Serialize)]
struct Outcome {
    recorded: Vec<NewFact>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    changed: Vec<FactRevision>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    not_recorded: Vec<FactProblem>,
    /// Parts of the message that no fact has; record them or tell the person.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    not_used: Vec<String>,
    #[serde(skip)]
    skipped: Vec<Key>,
    #[serde(skip)]
    repeats: bool,
    /// A fact that the calculation uses is new or different.
    #[serde(skip)]
    changes_figures: bool,
}

#[derive(Serialize)]
struct NewFact {
    label: String,
    value: String,
}

#[derive(Serialize)]
struct FactRevision {
    label: String,
    before: String,
    value: String,
}

#[derive(Serialize)]
struct FactProblem {
    key: Key,
    problem: String,
}

impl Tool for RecordFacts {
    const NAME: &'static str = "record_facts";
    type Args = Args;
    type Output = FactsAnswer;

    fn spec() -> ToolSpec {
        ToolSpec::transactional(
            "Record what the person stated about their company and facility, with their own words as quotes. Returns how far \
             discovery is and what to ask next. Never record what was not said.",
        )
        .title("Note what you said")
        .gets_user_text()
        .undoable()
        .example("we run a 6-court pickleball club", json!({}))
        .example("We spend $3,500 a month on cleaning.", json!({}))
        .example("we vacuum for 2 hours a day", json!({}))
    }

    async fn call(&self, ctx: &ToolContext, args: Args) -> Result<FactsAnswer, ToolError> {
        let mut discovery = journey::discovery(ctx.conversation());
        let before = discovery.clone();
        let outcome = match args.facts.filter(|facts| !facts.is_empty()) {
            Some(facts) => from_model(ctx, &mut discovery, facts)?,
            None => from_message(ctx, &mut discovery)?,
        };
        let next = discovery.next_questions();
        discovery.asked.clone_from(&next);
        if discovery != before {
            journey::keep_discovery(ctx, &discovery);
        }
        let discovering = ctx.conversation().phase == DISCOVERY_PHASE;
        if discovering {
            ctx.suggest(journey::discovery_chips(&discovery));
        }
        Ok(FactsAnswer {
            text: in_words(&outcome, &next, &discovery, discovering),
            outcome,
            discovery_state: discovery.state(),
            ask_next: match discovering {
                true => next.into_iter().map(journey::question).collect(),
                false => Vec::new(),
            },
        })
    }

    fn summary(answer: &FactsAnswer) -> String {
        answer.text.clone()
    }
}

/// All of a model's facts, or none: each must be in the person's words and possible.
fn from_model(
    ctx: &ToolContext,
    discovery: &mut Discovery,
    facts: Vec<StatedFact>,
) -> Result<Outcome, ToolError> {
    let mut found = Vec::new();
    let mut problems = Vec::new();
    for fact in facts {
        let name = fact.key.name();
        if !reading::is_said(&fact.quote, ctx.words()) {
            problems.push(format!(
                "{name}: \"{}\" is not in the person's words; quote them or ask",
                fact.quote
            ));
            continue;
        }
        let fits = Unit::asked_by(fact.key)
            .map_or(Ok(()), |unit| check_unit(&fact.quote, &fact.value, &[unit]));
        match fits.and_then(|()| checked(fact.key, &fact.value)) {
            Ok(value) => found.push(FactDraft {
                key: fact.key,
                value,
                quote: fact.quote,
                confidence: fact.confidence.unwrap_or(Confidence::High),
            }),
            Err(problem) => problems.push(format!("{name}: {problem}")),
        }
    }
    if !problems.is_empty() {
        return Err(ToolError::refused(format!(
            "Nothing was recorded. {}",
            problems.join(". ")
        )));
    }
    let mut outcome = Outcome::default();
    let quotes: Vec<String> = found.iter().map(|fact| fact.quote.clone()).collect();
    take(&mut outcome, discovery, found, ctx);
    // A wage is no question of the interview, so it is read beside the facts.
    if let Some(newest) = ctx.words().last() {
        wage(
            &mut outcome,
            discovery,
            reading::read(newest, discovery).labor_rate,
            ctx,
        );
        let taken = format!("{} ; {}", quotes.join(" ; "), discovery.values());
        outcome.not_used = reading::unused_numbers(newest, &taken);
    }
    Ok(outcome)
}

/// The facts of the newest message.
fn from_message(ctx: &ToolContext, discovery: &mut Discovery) -> Result<Outcome, ToolError> {
    let Some(newest) = ctx.words().last() else {
        return Err(ToolError::invalid(
            "facts",
            "say what to record: a key, a value and the person's own words for each",
        ));
    };
    let read = reading::read(newest, discovery);
    let problem = |(key, problem)| FactProblem { key, problem };
    let mut outcome = Outcome {
        not_recorded: read.problems.into_iter().map(problem).collect(),
        skipped: read.skipped,
        not_used: read.not_used,
        ..Outcome::default()
    };
    for key in &outcome.skipped {
        discovery.skip(*key);
    }
    take(&mut outcome, discovery, read.found, ctx);
    wage(&mut outcome, discovery, read.labor_rate, ctx);
    Ok(outcome)
}

fn take(
    outcome: &mut Outcome,
    discovery: &mut Discovery,
    found: Vec<FactDraft>,
    ctx: &ToolContext,
) {
    for one in found {
        let is_input = one.key.is_roi_input();
        match discovery.take(one, ctx.now(), Some(Author::of(ctx.principal()))) {
            FactChange::New(Fact { label, value, .. }) => {
                outcome.recorded.push(NewFact { label, value });
            }
            FactChange::Changed { before, now } => outcome.changed.push(FactRevision {
                label: now.label,
                before,
                value: now.value,
            }),
            FactChange::Same => {
                outcome.repeats = true;
                continue;
            }
        }
        outcome.changes_figures |= is_input;
    }
}

fn wage(
    outcome: &mut Outcome,
    discovery: &mut Discovery,
    rate: Option<LaborRate>,
    ctx: &ToolContext,
) {
    let known = discovery
        .labor_rate
        .as_ref()
        .map(|known| known.dollars_an_hour);
    let Some(rate) = rate.filter(|rate| known != Some(rate.dollars_an_hour)) else {
        return;
    };
    let (label, value) = (
        InputName::LaborRate.label().to_owned(),
        dollars(rate.dollars_an_hour),
    );
    match known.map(dollars) {
        Some(before) => outcome.changed.push(FactRevision {
            label,
            before,
            value,
        }),
        None => outcome.recorded.push(NewFact { label, value }),
    }
    outcome.changes_figures = true;
    let said_by = Some(Author::of(ctx.principal()));
    discovery.labor_rate = Some(LaborRate { said_by, ..rate });
}

/// The result for people: what was noted, what was not, and what comes next.
fn in_words(outcome: &Outcome, next: &[Key], discovery: &Discovery, discovering: bool) -> String {
    let mut lines = Vec::new();
    let noted = outcome
        .recorded
        .iter()
        .map(|one| format!("{}: {}", one.label, one.value));
    let noted: Vec<String> = noted.collect();
    if !noted.is_empty() {
        lines.push(format!("Noted. {}.", noted.join("; ")));
    }
    for FactRevision {
        label,
        before,
        value,
    } in &outcome.changed
    {
        lines.push(format!("Changed. {label}: {value} (before: {before})."));
    }
    for FactProblem { key, problem } in &outcome.not_recorded {
        lines.push(format!("{}: {problem}.", key.label()));
    }
    for key in &outcome.skipped {
        lines.push(format!("All right, we leave \"{}\" open.", key.label()));
    }
    let quoted = outcome
        .not_used
        .iter()
        .map(|part| format!("\u{201c}{part}\u{201d}"));
    let quoted: Vec<String> = quoted.collect();
    if !quoted.is_empty() {
        lines.push(format!("I noted nothing from {}.", quoted.join(" and ")));
    } else if lines.is_empty() && outcome.repeats {
        lines.push("I have noted that already.".to_owned());
    } else if lines.is_empty() {
        lines.push("I found nothing to note in that.".to_owned());
    }
    if discovering && discovery.state().ready_for_roi {
        lines
            .push("That is enough for an estimate: say \"go to ROI\", or tell me more.".to_owned());
    } else if !discovering && outcome.changes_figures {
        lines.push("Say \"calculate the ROI\" for the new figures.".to_owned());
    }
    if discovering {
        let questions: Vec<&str> = next.iter().map(|key| key.about().question).collect();
        lines.push(questions.join("\n"));
    }
    lines.join("\n\n")
}
