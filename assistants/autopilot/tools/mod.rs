//! One file a tool: what it is called, who asks for it how, and what is kept of it.

mod calculate_roi;
mod make_business_case;
mod recommend_robots;
mod record_facts;
mod search_products;
mod set_phase;
mod update_shortlist;

use std::sync::Arc;

use frontdesk_core::tool::ToolError;
use frontdesk_core::toolbox::{Toolbox, ToolboxError};

use super::shelf::Shelf;

pub(super) fn toolbox(shelf: &Arc<Shelf>, public_url: &str) -> Result<Toolbox, ToolboxError> {
    let with = || Arc::clone(shelf);
    Toolbox::builder()
        .phrasings(include_str!("../phrasings.txt"))
        .tool(record_facts::RecordFacts)
        .tool(search_products::SearchProducts(with()))
        .tool(calculate_roi::CalculateRoi(with()))
        .tool(recommend_robots::RecommendRobots(with()))
        .tool(set_phase::SetPhase)
        .tool(update_shortlist::UpdateShortlist(with()))
        .tool(make_business_case::MakeBusinessCase {
            shelf: with(),
            public_url: public_url.to_owned(),
        })
        .build()
}

/// A field that must be put right.
fn invalid((field, problem): (&'static str, String)) -> ToolError {
    ToolError::invalid(field, &problem)
}

/// A robot that is not in the catalogue, with those that may be meant.
fn unknown((problem, near): (String, Vec<String>)) -> ToolError {
    ToolError::refused(format!(
        "{problem}; only robots of the catalogue can be used"
    ))
    .near(near)
}
