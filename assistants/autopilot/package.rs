//! Sets the assistant up: its tools, limits, tables and demo people.

use std::sync::Arc;

use frontdesk_core::assistant::{Assistant, Limits, MessageLimit};
use frontdesk_core::model::ModelSettings;
use frontdesk_core::phase::PhaseSpec;
use frontdesk_core::transcript::Window;

use frontdesk_bundle::{Bundle, Eval, Package, SetupContext, SetupError};

use crate::journey::{DISCOVERY_PHASE, Journey, ProductContext, ROI_PHASE, SELECTION_PHASE};
use crate::shelf::Shelf;
use crate::{domain, export, people, routes, shelf, tools};

use crate::routes::operations;

pub const PACKAGE: Package = Package {
    name: NAME,
    settings: &[],
    evals: EVALS,
    operations,
    set_up: bundle,
};

pub(crate) const NAME: &str = "autopilot";

const EVALS: &[Eval] = &[
    ("buyers", include_str!("evals/buyers.toml")),
    ("attacks", include_str!("evals/attacks.toml")),
];

/// The last messages that a model is shown.
const WINDOW: usize = 20;
const LONGEST_MESSAGE: usize = 4_000;

pub(crate) fn bundle(ctx: &SetupContext) -> Result<Bundle, SetupError> {
    let robots = domain::catalogue::built_in().map_err(|problem| SetupError::Part {
        assistant: NAME,
        cause: problem.into(),
    })?;
    let shelf = Arc::new(Shelf::new(ctx.db.clone(), Arc::clone(&ctx.search), robots));
    Ok(Bundle {
        is_default: true,
        migrations: Some(shelf::MIGRATIONS),
        export: Some(export::export),
        routes: routes::routes(&shelf, ctx),
        ..Bundle::new(assistant(&shelf, ctx)?, people::personas())
    })
}

fn assistant(shelf: &Arc<Shelf>, ctx: &SetupContext) -> Result<Assistant, SetupError> {
    let phase = |phase, aliases, instructions| PhaseSpec {
        phase,
        aliases,
        instructions,
    };
    Ok(Assistant {
        name: NAME,
        title: "Autopilot",
        description: "Find out whether a cleaning robot pays off in your building, and choose one.",
        // The design lets everyone who is signed in begin a conversation.
        roles: Vec::new(),
        instructions: include_str!("instructions/assistant.md"),
        phases: vec![
            phase(
                DISCOVERY_PHASE,
                &[],
                include_str!("instructions/discovery.md"),
            ),
            phase(ROI_PHASE, &[], include_str!("instructions/roi.md")),
            phase(
                SELECTION_PHASE,
                &["greenlight"],
                include_str!("instructions/selection.md"),
            ),
        ],
        toolbox: tools::toolbox(shelf, &ctx.public_url)?,
        context: vec![
            Arc::new(Journey),
            Arc::new(ProductContext {
                shelf: Arc::clone(shelf),
            }),
        ],
        reply_schema: None,
        model: ModelSettings {
            model: "gpt-4o".to_owned(),
            temperature: Some(0.7),
            max_tokens: Some(1_000),
        },
        limits: Limits {
            window: Window {
                max_messages: WINDOW,
                ..Limits::default().window
            },
            message: MessageLimit::Characters(LONGEST_MESSAGE),
            ..Limits::default()
        },
        greeting: include_str!("instructions/greeting.md"),
        suggestions: &[
            "We run a 6-court pickleball club",
            "We are a restaurant",
            "We run a warehouse",
        ],
    })
}
