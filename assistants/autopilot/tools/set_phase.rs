//! Moves the conversation to another phase, forward or back. Figures that need more facts say so themselves.

use frontdesk_core::phase::Phase;
use frontdesk_core::tool::{Tool, ToolContext, ToolError, ToolSpec};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::ask_for;
use crate::journey::{self, DISCOVERY_PHASE, ROI_PHASE, SELECTION_PHASE};

pub(super) struct SetPhase;

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(extend("enum" = ["discovery", "roi", "selection", "greenlight"]))]
enum Target {
    Discovery,
    Roi,
    #[serde(alias = "greenlight")]
    Selection,
}

impl Target {
    fn phase(self) -> Phase {
        match self {
            Target::Discovery => DISCOVERY_PHASE,
            Target::Roi => ROI_PHASE,
            Target::Selection => SELECTION_PHASE,
        }
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// The phase to go to; leave out to go back one phase.
    #[serde(default)]
    phase: Option<Target>,
    /// Why, in a few words.
    #[serde(default)]
    #[schemars(length(max = 300))]
    reason: Option<String>,
}

#[derive(Serialize)]
pub(super) struct PhaseAnswer {
    phase: Phase,
    from: Phase,
    #[serde(skip)]
    text: String,
}

impl Tool for SetPhase {
    const NAME: &'static str = "set_phase";
    type Args = Args;
    type Output = PhaseAnswer;

    fn spec() -> ToolSpec {
        ToolSpec::transactional(
            "Move on to another phase, or back. Tell the person in one sentence; they can always go back.",
        )
        .title("Change the phase")
        .undoable()
        .example("go back", json!({}))
        .example("back to where we were", json!({}))
        .example("go to ROI", json!({ "phase": "roi" }))
        .example("go to selection", json!({ "phase": "selection" }))
        .example("back to discovery", json!({ "phase": "discovery" }))
        .example("next phase: selection", json!({ "phase": "selection" }))
        .example("skip ahead to the selection", json!({ "phase": "selection" }))
        .example("let's move on to the ROI", json!({ "phase": "roi" }))
        .example("take me back to discovery", json!({ "phase": "discovery" }))
        .example("move us on to the green light", json!({ "phase": "greenlight" }))
        .example("go on to choosing a robot", json!({ "phase": "selection" }))
        .example("go back, I want to change some answers", json!({ "phase": "discovery" }))
    }

    async fn call(&self, ctx: &ToolContext, args: Args) -> Result<PhaseAnswer, ToolError> {
        let conversation = ctx.conversation();
        let from = conversation.phase.clone();
        let target = args.phase.unwrap_or(match from == SELECTION_PHASE {
            true => Target::Roi,
            false => Target::Discovery,
        });
        let to = target.phase();
        if from == to {
            return Ok(PhaseAnswer {
                text: format!("We are in the {to} phase already."),
                phase: to,
                from,
            });
        }
        let reason = args.reason.filter(|reason| !reason.trim().is_empty());
        ctx.move_to(to.clone(), reason.unwrap_or_else(|| "asked for".to_owned()));
        let mut moved = conversation.clone();
        moved.phase = to.clone();
        ctx.suggest(journey::chips(&moved));
        let text = match (target, journey::inputs(conversation)) {
            (Target::Discovery, _) => {
                "Back in discovery. Tell me what is different, or what I should know.".to_owned()
            }
            (Target::Roi | Target::Selection, Err(missing)) => {
                let asked = ask_for(ctx, &missing);
                format!("We are in the {to} phase. {asked}")
            }
            (Target::Roi, Ok(_)) => {
                "Now for the figures. Say \"recommend robots\" for robots that fit, or \"calculate the ROI\" for what they save."
                    .to_owned()
            }
            (Target::Selection, Ok(_)) => {
                "Now for the choice. Say \"shortlist the …\" for the robots to compare, and \"make the business case\" for a page to hand on."
                    .to_owned()
            }
        };
        Ok(PhaseAnswer {
            phase: to,
            from,
            text,
        })
    }

    fn summary(answer: &PhaseAnswer) -> String {
        answer.text.clone()
    }
}
