//! One file per tool.

mod calculate_roi;
mod make_business_case;
mod recommend_robots;
mod record_facts;
mod search_products;
mod set_phase;
mod summarise_decision;
mod update_shortlist;

use std::sync::Arc;

use frontdesk_core::phase::Phase;
use frontdesk_core::tool::{ToolContext, ToolError};
use frontdesk_core::toolbox::{Toolbox, ToolboxError};

use crate::domain::catalogue::Robot;
use crate::domain::keys::Key;
use crate::domain::reading::{condition, unused_numbers};
use crate::domain::roi::Missing;
use crate::journey::{self, ROI_PHASE, SELECTION_PHASE};
use crate::product_store::ProductStore;

pub(super) fn toolbox(
    products: &Arc<ProductStore>,
    public_url: &str,
) -> Result<Toolbox, ToolboxError> {
    let products = || Arc::clone(products);
    Toolbox::builder()
        .phrasings(include_str!("../phrasings.txt"))
        .tool(record_facts::RecordFacts)
        .tool(search_products::SearchProducts(products()))
        .tool(calculate_roi::CalculateRoi(products()))
        .tool(recommend_robots::RecommendRobots(products()))
        .tool(summarise_decision::SummariseDecision(products()))
        .tool(set_phase::SetPhase)
        .tool(update_shortlist::UpdateShortlist(products()))
        .tool(make_business_case::MakeBusinessCase {
            products: products(),
            public_url: public_url.to_owned(),
        })
        .build()
}

async fn robots(products: &ProductStore, ctx: &ToolContext) -> Result<Vec<Robot>, ToolError> {
    let robots = products.robots(ctx.principal()).await;
    robots.map_err(ToolError::failed)
}

/// A field that must be corrected.
fn invalid((field, problem): (&'static str, String)) -> ToolError {
    ToolError::invalid(field, &problem)
}

/// A robot that is not in the catalogue, with similar names.
fn unknown((problem, near): (String, Vec<String>)) -> ToolError {
    ToolError::refused(format!(
        "{problem}; only robots of the catalogue can be used"
    ))
    .near(near)
}

fn rank(phase: &Phase) -> u8 {
    match phase {
        phase if *phase == SELECTION_PHASE => 2,
        phase if *phase == ROI_PHASE => 1,
        _ => 0,
    }
}

/// Moves on to the phase that a request belongs to, unless the conversation is already there or
/// beyond. Returns the sentence that tells the person.
fn move_on(ctx: &ToolContext, to: Phase) -> Option<String> {
    let from = &ctx.conversation().phase;
    if rank(from) >= rank(&to) {
        return None;
    }
    let name = if to == ROI_PHASE { "ROI" } else { "selection" };
    let sentence = format!(
        "This belongs to the {name} phase, so we are there now; \u{201c}back to {from}\u{201d} returns."
    );
    ctx.move_to(to, "a request of this phase");
    Some(sentence)
}

/// The numbers of the newest message that neither the arguments nor the facts have, and the condition of a question that
/// changes no value.
fn not_used(
    ctx: &ToolContext,
    robots: &[&Robot],
    taken: &str,
    changes_nothing: bool,
) -> Vec<String> {
    let discovery = journey::discovery(ctx.conversation());
    let names: Vec<&str> = robots.iter().map(|robot| robot.name.as_str()).collect();
    let taken = format!("{} ; {} ; {taken}", discovery.values(), names.join(" ; "));
    let mut left = unused_numbers(ctx.said(), &taken);
    if left.is_empty() && changes_nothing {
        left.extend(condition(ctx.said()));
    }
    left
}

fn in_words_not_used(left: &[String]) -> Option<String> {
    let quoted: Vec<String> = left
        .iter()
        .map(|part| format!("\u{201c}{part}\u{201d}"))
        .collect();
    (!left.is_empty()).then(|| {
        format!(
            "I did not use {}: the figures are without it. Tell me which value it changes, such as \u{201c}use it 60 % of the time\u{201d} or \u{201c}we clean twice a week\u{201d}.",
            quoted.join(" and ")
        )
    })
}

/// The missing facts with their questions, for people. The questions count as asked, so that a
/// bare answer is understood.
fn ask_for(ctx: &ToolContext, missing: &Missing) -> String {
    let mut discovery = journey::discovery(ctx.conversation());
    discovery.asked.clone_from(&missing.0);
    journey::keep_discovery(ctx, &discovery);
    let chips = missing.0.first().map_or(&[][..], |key| key.about().chips);
    ctx.suggest(chips.iter().map(|chip| (*chip).to_owned()));
    let questions: Vec<&str> = missing
        .0
        .iter()
        .map(|key: &Key| key.about().question)
        .collect();
    format!("{} {}", missing.in_words(), questions.join(" "))
}
