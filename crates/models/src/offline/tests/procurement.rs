//! A buyer's toolbox: products, figures, an interview.

use frontdesk_core::tool::{ToolDef, ToolSpec};
use serde_json::json;

use super::toolboxes::{object, tool};

pub(super) fn tools() -> Vec<ToolDef> {
    vec![
        tool(
            "search_products",
            object(
                json!({
                    "query": {"type": "string", "description": "What is looked for, in the buyer's words."},
                    "max_price": {"type": ["integer", "null"], "minimum": 0, "description": "Highest purchase price in USD."},
                }),
                &["query"],
            ),
            ToolSpec::read("Search the catalogue of cleaning robots.")
                .title("Search robots")
                .example(
                    "find robots for tile floors",
                    json!({"query": "robots for tile floors"}),
                ),
        ),
        tool(
            "compare_products",
            object(
                json!({"names": {"type": "array", "items": {"type": "string"}, "description": "Names of the robots."}}),
                &["names"],
            ),
            ToolSpec::read("Compare robots side by side.")
                .title("Compare robots")
                .example(
                    "compare Pudu MT1 and Tennant T7AMR",
                    json!({"names": ["Pudu MT1", "Tennant T7AMR"]}),
                ),
        ),
        tool(
            "calculate_roi",
            object(
                json!({
                    "product": {"type": "string", "description": "Name of the robot."},
                    "monthly_spend": {"type": "number", "exclusiveMinimum": 0, "description": "What cleaning costs now, in USD a month."},
                }),
                &["product", "monthly_spend"],
            ),
            ToolSpec::read("Estimate savings and payback of a robot.")
                .title("Calculate the return")
                .example(
                    "what would the Pudu MT1 save us at 5000 a month?",
                    json!({"product": "Pudu MT1", "monthly_spend": 5000}),
                ),
        ),
        tool(
            "save_answers",
            object(
                json!({
                    "company_type": {"type": ["string", "null"], "enum": ["Pickleball Club", "Tennis Club", "Restaurant", "Warehouse", "Datacenter", null], "description": "Kind of company."},
                    "courts_count": {"type": ["integer", "null"], "minimum": 0, "description": "Number of courts."},
                }),
                &[],
            ),
            ToolSpec::transactional("Keep what the buyer told about their company and facility.")
                .title("Keep answers")
                .example("we are a restaurant", json!({"company_type": "Restaurant"}))
                .example("we have 6 courts", json!({"courts_count": 6})),
        ),
        tool(
            "request_demo",
            object(
                json!({
                    "product": {"type": "string", "description": "Name of the robot."},
                    "date": {"type": "string", "format": "date", "description": "Preferred date."},
                }),
                &["product", "date"],
            ),
            ToolSpec::at_most_once("Request a demo of a robot.")
                .title("Request a demo")
                .example(
                    "we would like a demo of the Pudu MT1 on 2026-11-30",
                    json!({"product": "Pudu MT1", "date": "2026-11-30"}),
                ),
        ),
        tool(
            "change_phase",
            object(
                json!({"phase": {"type": "string", "enum": ["discovery", "roi", "selection"], "description": "The phase to go to."}}),
                &["phase"],
            ),
            ToolSpec::transactional("Move the conversation to another phase.")
                .title("Change the phase")
                .example("go to selection", json!({"phase": "selection"})),
        ),
    ]
}
