//! Records facts about the building. A model passes facts with their quotes; without any, code reads the newest message.
//! Either way a fact needs the person's own words.

use frontdesk_core::artifact::Author;
use frontdesk_core::tool::{Tool, ToolContext, ToolError, ToolSpec};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::domain::discovery::{Discovery, FactChange, FactDraft, LaborRate, State, checked};
use crate::domain::keys::Key;
use crate::domain::money::dollars;
use crate::domain::reading;
use crate::domain::roi::Confidence;
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
    recorded: Vec<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    changed: Vec<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    not_recorded: Vec<Value>,
    discovery_state: State,
    ask_next: Vec<journey::Question>,
    #[serde(skip)]
    text: String,
}

/// The effect of a message or of a model's facts.
#[derive(Default)]
struct Outcome {
    new: Vec<(String, String)>,
    changed: Vec<(String, String, String)>,
    same: usize,
    problems: Vec<(Key, String)>,
    skipped: Vec<Key>,
    wage: Option<f64>,
    /// A fact that the calculation uses is new or different.
    changes_figures: bool,
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
        let text = in_words(&outcome, &discovery, discovering);
        let recorded = |(label, value): (String, String)| json!({ "label": label, "value": value });
        let changed = |(label, before, value): (String, String, String)| json!({ "label": label, "before": before, "value": value });
        Ok(FactsAnswer {
            recorded: outcome.new.into_iter().map(recorded).collect(),
            changed: outcome.changed.into_iter().map(changed).collect(),
            not_recorded: outcome
                .problems
                .iter()
                .map(|(key, problem)| json!({ "key": key, "problem": problem }))
                .collect(),
            discovery_state: discovery.state(),
            ask_next: if discovering {
                next.into_iter().map(journey::question).collect()
            } else {
                Vec::new()
            },
            text,
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
        match checked(fact.key, &fact.value) {
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
    take(&mut outcome, discovery, found, ctx);
    // A wage is no question of the interview, so it is read beside the facts.
    if let Some(newest) = ctx.words().last() {
        wage(&mut outcome, discovery, newest, ctx);
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
    let mut outcome = Outcome {
        problems: read.problems,
        skipped: read.skipped,
        ..Outcome::default()
    };
    for key in &outcome.skipped {
        discovery.skip(*key);
    }
    take(&mut outcome, discovery, read.found, ctx);
    wage(&mut outcome, discovery, newest, ctx);
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
            FactChange::New(fact) => outcome.new.push((fact.label, fact.value)),
            FactChange::Changed { before, now } => {
                outcome.changed.push((now.label, before, now.value))
            }
            FactChange::Same => {
                outcome.same += 1;
                continue;
            }
        }
        outcome.changes_figures |= is_input;
    }
}

fn wage(outcome: &mut Outcome, discovery: &mut Discovery, message: &str, ctx: &ToolContext) {
    let Some(rate) = reading::read(message, discovery).labor_rate else {
        return;
    };
    let dollars = rate.dollars_an_hour;
    let known = discovery.labor_rate.as_ref();
    if known.is_none_or(|known| known.dollars_an_hour != dollars) {
        outcome.wage = Some(dollars);
        outcome.changes_figures = true;
        discovery.labor_rate = Some(LaborRate {
            said_by: Some(Author::of(ctx.principal())),
            ..rate
        });
    }
}

/// The result for people: what was noted, what was not, and what comes next.
fn in_words(outcome: &Outcome, discovery: &Discovery, discovering: bool) -> String {
    let mut lines = Vec::new();
    let mut noted: Vec<String> = outcome
        .new
        .iter()
        .map(|(label, value)| format!("{label}: {value}"))
        .collect();
    noted.extend(
        outcome
            .wage
            .map(|rate| format!("An hour of work: {}", dollars(rate))),
    );
    if !noted.is_empty() {
        lines.push(format!("Noted. {}.", noted.join("; ")));
    }
    for (label, before, now) in &outcome.changed {
        lines.push(format!("Changed. {label}: {now} (before: {before})."));
    }
    for (key, problem) in &outcome.problems {
        lines.push(format!("{}: {problem}.", key.label()));
    }
    for key in &outcome.skipped {
        lines.push(format!("All right, we leave \"{}\" open.", key.label()));
    }
    if lines.is_empty() {
        lines.push(match outcome.same {
            0 => "I found nothing to note in that.".to_owned(),
            _ => "I have noted that already.".to_owned(),
        });
    }
    if discovering {
        lines.push(what_next(discovery));
    } else if outcome.changes_figures {
        lines.push("Say \"calculate the ROI\" for the new figures.".to_owned());
    }
    lines.join("\n\n")
}

fn what_next(discovery: &Discovery) -> String {
    let state = discovery.state();
    let questions: Vec<String> = discovery
        .next_questions()
        .into_iter()
        .map(|key| {
            let about = key.about();
            match about.chips {
                [] => about.question.to_owned(),
                chips => format!("{} ({})", about.question, chips.join(", ")),
            }
        })
        .collect();
    let progress = format!(
        "{} % of what an estimate needs is there.",
        state.progress_percent
    );
    match (state.ready_for_roi, questions.is_empty()) {
        (true, true) => format!("{progress} Say \"go to ROI\" for an estimate."),
        (true, false) => format!(
            "{progress} That is enough: say \"go to ROI\" for an estimate, or tell me more.\n\n{}",
            questions.join("\n")
        ),
        (false, _) => format!("{progress}\n\n{}", questions.join("\n")),
    }
}
