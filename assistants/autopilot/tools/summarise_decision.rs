//! Sums up a decision from stored facts and computed figures: what is known, how the figures come about, the options,
//! and the next steps.

use std::sync::Arc;

use frontdesk_core::conversation::Conversation;
use frontdesk_core::tool::{Tool, ToolContext, ToolError, ToolSpec};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::calculate_roi::derivation_in_words;
use super::{recommend_robots, robots, unknown};
use crate::domain::business_case::KIND;
use crate::domain::catalogue::Robot;
use crate::domain::recommend::{DEFAULT_TOP, recommend};
use crate::domain::roi::estimate;
use crate::domain::shortlist::{compare, table};
use crate::journey::{self, by_sku};
use crate::product_store::ProductStore;

pub(super) struct SummariseDecision(pub(super) Arc<ProductStore>);

/// The part of the decision that is asked about.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Topic {
    /// Recorded facts and what is still missing.
    Facts,
    /// How the figures come about, step by step.
    Figures,
    /// The robots on the shortlist, or the best ones.
    Options,
    /// The steps that remain.
    NextSteps,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// The part to sum up; leave out for all of it.
    #[serde(default)]
    about: Option<Topic>,
    /// Name of the robot whose figures are asked about; the one of the last calculation unless given.
    #[serde(default)]
    #[schemars(length(max = 120))]
    robot: Option<String>,
}

#[derive(Serialize)]
pub(super) struct Summary {
    summary: String,
}

impl Tool for SummariseDecision {
    const NAME: &'static str = "summarise_decision";
    type Args = Args;
    type Output = Summary;

    fn spec() -> ToolSpec {
        ToolSpec::read(
            "Sum up the decision: recorded facts and what is missing, how the figures come about, the options, or the next steps.",
        )
        .title("Sum up the decision")
        .example("where do we stand?", json!({}))
        .example("what else do you need to know?", json!({ "about": "facts" }))
        .example("why 80 percent?", json!({ "about": "figures" }))
        .example("how do you get these figures?", json!({ "about": "figures" }))
        .example("why the Pudu CC1?", json!({ "about": "figures", "robot": "Pudu CC1" }))
        .example("how do you get the figures of the Pudu CC1?", json!({ "about": "figures", "robot": "Pudu CC1" }))
        .example("how sure are you?", json!({ "about": "figures" }))
        .example("summarise the options", json!({ "about": "options" }))
        .example("what are the next steps?", json!({ "about": "next_steps" }))
    }

    async fn call(&self, ctx: &ToolContext, args: Args) -> Result<Summary, ToolError> {
        let robots = robots(&self.0, ctx).await?;
        let conversation = ctx.conversation();
        let named = args.robot.filter(|name| !name.trim().is_empty());
        let named = named.map(|name| ProductStore::named(&robots, &name).map_err(unknown));
        let named = named.transpose()?;
        let parts = match args.about {
            Some(Topic::Facts) => vec![facts(conversation)],
            Some(Topic::Figures) => vec![figures(conversation, &robots, named)],
            Some(Topic::Options) => vec![options(conversation, &robots)],
            Some(Topic::NextSteps) => vec![next_steps(conversation)],
            None => vec![
                facts(conversation),
                options(conversation, &robots),
                next_steps(conversation),
            ],
        };
        ctx.suggest(journey::chips(conversation));
        Ok(Summary {
            summary: parts.join("\n\n"),
        })
    }

    fn summary(summary: &Summary) -> String {
        summary.summary.clone()
    }
}

fn facts(conversation: &Conversation) -> String {
    let discovery = journey::discovery(conversation);
    let known: Vec<String> = discovery
        .facts
        .iter()
        .map(|fact| format!("- {}: {}", fact.label, fact.value))
        .collect();
    let known = match known.is_empty() {
        true => "You have not told me anything about your building yet.".to_owned(),
        false => format!("This is what you told me:\n{}", known.join("\n")),
    };
    let questions = discovery.next_questions();
    let questions: Vec<&str> = questions.iter().map(|key| key.about().question).collect();
    let open = match questions.is_empty() {
        true => "I have no more questions.".to_owned(),
        false => format!("Still to ask: {}", questions.join(" ")),
    };
    format!("{known}\n\n{open}")
}

fn figures(conversation: &Conversation, robots: &[Robot], named: Option<&Robot>) -> String {
    let inputs = journey::inputs(conversation);
    let usual = journey::default_robots(robots, conversation, &inputs);
    let found = match (inputs, named.or(usual.first().copied())) {
        (Err(missing), _) => return missing.in_words(),
        (Ok(_), None) => return "No robot of the catalogue can do this work.".to_owned(),
        (Ok(inputs), Some(robot)) => estimate(robot, &inputs),
    };
    format!(
        "{}\n\nThe work taken over is the share of your ways of cleaning that the robot has, times the share of your floors \
             that it cleans, times the share of the time that its maker states, times its use.\n\n{}",
        found.verdict(),
        derivation_in_words(&found)
    )
}

fn options(conversation: &Conversation, robots: &[Robot]) -> String {
    let shortlist = journey::shortlist(conversation);
    let inputs = journey::inputs(conversation);
    if !shortlist.robots.is_empty() {
        let rows = compare(&by_sku(robots, &shortlist.robots), &inputs);
        return format!(
            "On the shortlist (prices are indicative):\n\n{}",
            table(&rows)
        );
    }
    match inputs {
        Ok(inputs) => {
            let budget = journey::discovery(conversation).monthly_budget();
            let best = recommend(robots, &inputs, budget, DEFAULT_TOP);
            format!(
                "The shortlist is empty. What fits best:\n\n{}",
                recommend_robots::in_words(&best)
            )
        }
        Err(missing) => format!("The shortlist is empty. {}", missing.in_words()),
    }
}

/// The steps that are left, from the state of the conversation.
fn next_steps(conversation: &Conversation) -> String {
    let discovery = journey::discovery(conversation);
    let shortlist = journey::shortlist(conversation);
    let mut steps: Vec<String> = Vec::new();
    match journey::inputs(conversation) {
        Err(missing) => {
            let asked: Vec<&str> = missing.0.iter().map(|key| key.about().question).collect();
            steps.push(format!(
                "Tell me what the figures need: {}",
                asked.join(" ")
            ));
        }
        Ok(_) if journey::last_roi(conversation).robots.is_empty() => {
            steps.push("Look at the figures: \u{201c}calculate the ROI\u{201d}.".to_owned());
        }
        Ok(_) => {}
    }
    if shortlist.robots.is_empty() {
        steps.push(
            "Put one or more robots on the shortlist: \u{201c}recommend robots\u{201d}.".to_owned(),
        );
    }
    let decided = discovery
        .fact(crate::domain::keys::Key::Stakeholders)
        .is_some();
    if shortlist.stakeholders.is_empty() && !decided {
        steps.push("Tell me who takes part in the decision.".to_owned());
    }
    if !conversation.progress.has_artifact(KIND, false) {
        steps.push("Hand on the business case: \u{201c}make the business case\u{201d}.".to_owned());
    }
    steps.push(match shortlist.next_step {
        Some(step) => format!("Agreed: {}.", step.in_words()),
        None => "Agree on one next step: a demo, a talk with sales, or showing it to colleagues."
            .to_owned(),
    });
    let lines: Vec<String> = steps
        .iter()
        .enumerate()
        .map(|(place, step)| format!("{}. {step}", place + 1))
        .collect();
    format!("Next steps:\n{}", lines.join("\n"))
}
