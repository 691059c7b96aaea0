//! Moves the conversation to another phase: forward when there is enough for it, back whenever the person wants, and
//! over what is missing only when they say so themselves.

use frontdesk_core::phase::Phase;
use frontdesk_core::tool::{Tool, ToolContext, ToolError, ToolSpec};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::journey::{self, DISCOVERY_PHASE, ROI_PHASE, SELECTION_PHASE};

pub(super) struct SetPhase;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
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

    fn of(phase: &Phase) -> Target {
        if *phase == ROI_PHASE {
            Target::Roi
        } else if *phase == SELECTION_PHASE {
            Target::Selection
        } else {
            Target::Discovery
        }
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// The phase to go to.
    #[schemars(extend("enum" = ["discovery", "roi", "selection", "greenlight"]))]
    phase: Target,
    /// Why, in a few words.
    #[serde(default)]
    #[schemars(length(max = 300))]
    reason: Option<String>,
}

#[derive(Serialize)]
pub(super) struct Moved {
    phase: Phase,
    from: Phase,
    #[serde(skip)]
    told: String,
}

impl Tool for SetPhase {
    const NAME: &'static str = "set_phase";
    type Args = Args;
    type Output = Moved;

    fn spec() -> ToolSpec {
        ToolSpec::transactional(
            "Move on to another phase, or back. Forward only when there is enough for it; what is missing is skipped only when the \
             person says so.",
        )
        .title("Change the phase")
        .gets_user_text()
        .undoable()
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

    async fn call(&self, ctx: &ToolContext, args: Args) -> Result<Moved, ToolError> {
        let conversation = ctx.conversation();
        let (from, to) = (Target::of(&conversation.phase), args.phase);
        if from == to {
            return Ok(Moved {
                phase: to.phase(),
                from: from.phase(),
                told: format!("We are in the phase {} already.", to.phase()),
            });
        }
        let lacking = lacking(ctx, from, to);
        let insists = ctx.words().last().is_some_and(|words| insists(words));
        if let Some(lacking) = lacking.filter(|_| !insists) {
            return Err(ToolError::refused(format!(
                "{lacking} The person can say \"go to {} anyway\" to skip that.",
                to.phase()
            )));
        }
        let default = if to < from {
            "asked to go back"
        } else {
            "ready to go on"
        };
        let reason = args
            .reason
            .filter(|reason| !reason.trim().is_empty())
            .unwrap_or_else(|| default.to_owned());
        ctx.move_to(to.phase(), reason);
        let mut moved = conversation.clone();
        moved.phase = to.phase();
        ctx.suggest(journey::chips(&moved));
        let told = match to {
            Target::Discovery => {
                "Back in discovery. Tell me what is different, or what I should know."
            }
            Target::Roi => {
                "Now for the figures. Say \"recommend robots\" for what fits, or \"calculate the ROI\" for what it comes to."
            }
            Target::Selection => {
                "Now for the choice. Say \"shortlist the …\" for the robots in question, and \"make the business case\" for a page to hand on."
            }
        };
        Ok(Moved {
            phase: to.phase(),
            from: from.phase(),
            told: told.to_owned(),
        })
    }

    fn summary(moved: &Moved) -> String {
        moved.told.clone()
    }
}

/// What is missing for a step forward. Back is always possible.
fn lacking(ctx: &ToolContext, from: Target, to: Target) -> Option<String> {
    if to <= from {
        return None;
    }
    let state = journey::discovery(ctx.conversation()).state();
    if !state.ready_for_roi {
        let missing: Vec<&str> = state.missing_keys.iter().map(|key| key.label()).collect();
        return Some(format!(
            "There is not enough for an estimate yet; missing: {}.",
            missing.join(", ")
        ));
    }
    let done = &ctx.conversation().progress.tools_done;
    let calculated = done.contains("calculate_roi") || done.contains("recommend_robots");
    (to == Target::Selection && !calculated)
        .then(|| "Nothing has been calculated yet; look at the figures first.".to_owned())
}

/// Whether the person says themselves that something is to be skipped.
fn insists(words: &str) -> bool {
    let lower = words.to_lowercase();
    [
        "anyway",
        "skip",
        "regardless",
        "even so",
        "no matter",
        "right away",
    ]
    .iter()
    .any(|word| lower.contains(word))
}
