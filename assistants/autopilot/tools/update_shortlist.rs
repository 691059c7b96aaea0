//! Changes the shortlist, the people who decide and the next step, and compares the robots.

use std::sync::Arc;

use frontdesk_core::tool::{Tool, ToolContext, ToolError, ToolSpec};
use frontdesk_core::untrusted;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{move_on, robots, unknown};
use crate::domain::catalogue::{Robot, mentioned};
use crate::domain::shortlist::{
    ComparisonRow, MOST_ROBOTS, MOST_STAKEHOLDERS, NextStep, Shortlist, compare,
};
use crate::journey::{self, SELECTION_PHASE, by_sku};
use crate::product_store::ProductStore;

pub(super) struct UpdateShortlist(pub(super) Arc<ProductStore>);

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
    /// The agreed next step.
    #[serde(default)]
    next_step: Option<NextStep>,
}

#[derive(Serialize)]
pub(super) struct ShortlistAnswer {
    shortlist: Shortlist,
    comparison: Vec<ComparisonRow>,
    prices: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    moved: Option<String>,
    #[serde(skip)]
    text: String,
}

impl Tool for UpdateShortlist {
    const NAME: &'static str = "update_shortlist";
    type Args = Args;
    type Output = ShortlistAnswer;

    fn spec() -> ToolSpec {
        ToolSpec::transactional("Put robots on the shortlist or take them off, note who decides and the next step; returns the comparison.")
            .title("Change the shortlist")
            .undoable()
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

    async fn call(&self, ctx: &ToolContext, args: Args) -> Result<ShortlistAnswer, ToolError> {
        let robots = robots(&self.0, ctx).await?;
        let before = journey::shortlist(ctx.conversation());
        let mut shortlist = before.clone();
        for name in args.remove.unwrap_or_default() {
            let robot = ProductStore::named(&robots, &name).map_err(unknown)?;
            if !shortlist.remove(&robot.sku) {
                return Err(ToolError::refused(format!(
                    "The {} is not on the shortlist.",
                    robot.name
                )));
            }
        }
        for name in args.add.unwrap_or_default() {
            let robot = ProductStore::named(&robots, &name).map_err(unknown)?;
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
        let moved = move_on(ctx, SELECTION_PHASE);
        let listed = by_sku(&robots, &shortlist.robots);
        let text = in_words(&shortlist, &listed, moved.as_deref(), shortlist == before);
        // Without a shortlist the robots that were named or calculated last are offered for it.
        let mut offered = mentioned(&robots, ctx.said());
        if offered.is_empty() {
            offered = by_sku(&robots, &journey::last_roi(ctx.conversation()).robots);
        }
        let chips: Vec<String> = match listed.is_empty() {
            true => offered
                .iter()
                .map(|robot| format!("Shortlist the {}", robot.name))
                .collect(),
            false => ["Make the business case", "What are the next steps?"]
                .map(str::to_owned)
                .into(),
        };
        ctx.suggest(chips.into_iter().take(MOST_ROBOTS));
        Ok(ShortlistAnswer {
            comparison: compare(&listed, &journey::inputs(ctx.conversation())),
            shortlist,
            prices: "indicative",
            moved,
            text,
        })
    }

    fn summary(answer: &ShortlistAnswer) -> String {
        answer.text.clone()
    }
}

/// One line for the robots: the comparison is beside the chat.
fn in_words(shortlist: &Shortlist, listed: &[&Robot], moved: Option<&str>, same: bool) -> String {
    let mut parts: Vec<String> = moved.map(str::to_owned).into_iter().collect();
    let names: Vec<&str> = listed.iter().map(|robot| robot.name.as_str()).collect();
    let unchanged = if same { ", unchanged" } else { "" };
    parts.push(match names.is_empty() {
        true => {
            "The shortlist is empty. Name the robots to put on it, or say \"recommend robots\"."
                .to_owned()
        }
        false => format!("On the shortlist{unchanged}: {}.", names.join(", ")),
    });
    if !shortlist.stakeholders.is_empty() {
        parts.push(format!(
            "Who decides: {}.",
            shortlist.stakeholders.join(", ")
        ));
    }
    if let Some(next) = shortlist.next_step {
        parts.push(format!("Next: {}.", next.in_words()));
        if next == NextStep::ContactSales {
            parts.push(
                "I have not contacted anybody: send the business case to the sales team that you want to talk to.".to_owned(),
            );
        }
    }
    parts.join("\n\n")
}

fn clean(name: &str) -> String {
    let (clean, _) = untrusted::clean(name);
    let line: Vec<&str> = clean.split_whitespace().collect();
    line.join(" ").chars().take(LONGEST_NAME).collect()
}
