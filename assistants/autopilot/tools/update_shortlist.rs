//! Keeps the robots that are still in question, who decides, and the next step; shows them side by side.

use std::sync::Arc;

use frontdesk_core::tool::{Tool, ToolContext, ToolError, ToolSpec};
use frontdesk_core::untrusted;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::unknown;
use crate::domain::catalogue::Robot;
use crate::domain::roi::Assumptions;
use crate::domain::shortlist::{Compared, MOST_STAKEHOLDERS, NextStep, Shortlist, compare, table};
use crate::journey::{self, ROI_PHASE, SELECTION_PHASE};
use crate::shelf::Shelf;

pub(super) struct UpdateShortlist(pub(super) Arc<Shelf>);

const LONGEST_NAME: usize = 120;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// Names of robots to put on the shortlist.
    #[serde(default)]
    #[schemars(length(max = 5))]
    add: Option<Vec<String>>,
    /// Names of robots to take off the shortlist.
    #[serde(default)]
    #[schemars(length(max = 5))]
    remove: Option<Vec<String>>,
    /// People who take part in the decision, as the person named them.
    #[serde(default)]
    #[schemars(length(max = 20))]
    stakeholders: Option<Vec<String>>,
    /// What happens next.
    #[serde(default)]
    next_step: Option<NextStep>,
}

#[derive(Serialize)]
pub(super) struct Updated {
    shortlist: Shortlist,
    comparison: Vec<Compared>,
    prices: &'static str,
}

impl Tool for UpdateShortlist {
    const NAME: &'static str = "update_shortlist";
    type Args = Args;
    type Output = Updated;

    fn spec() -> ToolSpec {
        ToolSpec::transactional("Put robots on the shortlist or take them off, note who decides and the next step; returns the comparison.")
            .title("Change the shortlist")
            .undoable()
            .phases([ROI_PHASE, SELECTION_PHASE])
            .example("shortlist the Pudu CC1", json!({ "add": ["Pudu CC1"] }))
            .example("take the Pudu CC1 off the shortlist", json!({ "remove": ["Pudu CC1"] }))
            .example("show the shortlist", json!({}))
            .example("strike the Pudu CC1 from the list", json!({ "remove": ["Pudu CC1"] }))
            .example("let me see the shortlist", json!({}))
            .example("what is on the list so far?", json!({}))
            .example("the next step is a demo", json!({ "next_step": "schedule_demo" }))
            .example("note down a demo as the next step", json!({ "next_step": "schedule_demo" }))
            .example("add the Pudu CC1 to the shortlist", json!({ "add": ["Pudu CC1"] }))
            .example("take the Pudu CC1 off again", json!({ "remove": ["Pudu CC1"] }))
    }

    async fn call(&self, ctx: &ToolContext, args: Args) -> Result<Updated, ToolError> {
        let robots = self
            .0
            .robots(ctx.principal())
            .await
            .map_err(ToolError::failed)?;
        let mut shortlist = journey::shortlist(ctx.conversation());
        for name in args.remove.unwrap_or_default() {
            let robot = Shelf::named(&robots, &name).map_err(unknown)?;
            if !shortlist.remove(&robot.sku) {
                return Err(ToolError::refused(format!(
                    "The {} is not on the shortlist.",
                    robot.name
                )));
            }
        }
        for name in args.add.unwrap_or_default() {
            let robot = Shelf::named(&robots, &name).map_err(unknown)?;
            shortlist.add(&robot.sku).map_err(ToolError::refused)?;
        }
        if let Some(people) = args.stakeholders {
            shortlist.stakeholders = people
                .iter()
                .map(|name| clean(name))
                .filter(|name| !name.is_empty())
                .take(MOST_STAKEHOLDERS)
                .collect();
        }
        shortlist.next_step = args.next_step.or(shortlist.next_step);
        journey::keep_shortlist(ctx, &shortlist);
        let next = match ctx.conversation().phase == SELECTION_PHASE {
            true => "Show the shortlist",
            false => "Go to selection",
        };
        ctx.suggest([next, "Make the business case"].map(str::to_owned));
        let profile = journey::discovery(ctx.conversation()).profile();
        let with = Assumptions::of(&profile, &journey::last_roi(ctx.conversation()).edits);
        let listed: Vec<&Robot> = shortlist
            .robots
            .iter()
            .filter_map(|sku| robots.iter().find(|robot| robot.sku == *sku))
            .collect();
        let comparison = compare(&listed, &with);
        Ok(Updated {
            shortlist,
            comparison,
            prices: "indicative",
        })
    }

    fn summary(updated: &Updated) -> String {
        let mut parts = Vec::new();
        if updated.comparison.is_empty() {
            parts
                .push("The shortlist is empty. Say \"recommend robots\" for what fits.".to_owned());
        } else {
            parts.push(format!(
                "On the shortlist (prices are indicative):\n\n{}",
                table(&updated.comparison)
            ));
        }
        if !updated.shortlist.stakeholders.is_empty() {
            parts.push(format!(
                "Who decides: {}.",
                updated.shortlist.stakeholders.join(", ")
            ));
        }
        if let Some(next) = updated.shortlist.next_step {
            parts.push(format!("Next: {}.", next.in_words()));
        }
        parts.join("\n\n")
    }
}

fn clean(name: &str) -> String {
    let (seen, _) = untrusted::clean(name);
    let line: Vec<&str> = seen.split_whitespace().collect();
    line.join(" ").chars().take(LONGEST_NAME).collect()
}
