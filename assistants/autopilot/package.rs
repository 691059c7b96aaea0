//! Sets the assistant up: its tools, limits, tables and demo people.

use std::sync::Arc;

use frontdesk_core::assistant::{Assistant, Limits, MessageLimit, Suggestion};
use frontdesk_core::model::ModelSettings;
use frontdesk_core::phase::PhaseSpec;
use frontdesk_core::transcript::Window;

use frontdesk_bundle::{Bundle, Eval, Package, SetupContext, SetupError};

use crate::journey::{DISCOVERY_PHASE, Journey, ProductContext, ROI_PHASE, SELECTION_PHASE};
use crate::product_store::ProductStore;
use crate::{domain, export, people, product_store, routes, tools};

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

/// The number of last messages that a model gets.
const WINDOW: usize = 20;
const LONGEST_MESSAGE: usize = 4_000;

pub(crate) fn bundle(ctx: &SetupContext) -> Result<Bundle, SetupError> {
    let robots = domain::catalogue::built_in().map_err(|problem| SetupError::Part {
        assistant: NAME,
        cause: problem.into(),
    })?;
    let products = Arc::new(ProductStore::new(
        ctx.db.clone(),
        Arc::clone(&ctx.search),
        robots,
    ));
    Ok(Bundle {
        is_default: true,
        migrations: Some(product_store::MIGRATIONS),
        export: Some(export::export),
        routes: routes::routes(&products, ctx),
        ..Bundle::new(assistant(&products, ctx)?, people::personas())
    })
}

fn assistant(products: &Arc<ProductStore>, ctx: &SetupContext) -> Result<Assistant, SetupError> {
    let phase = |phase, aliases, instructions: &'static str| PhaseSpec {
        phase,
        aliases,
        instructions: instructions.into(),
    };
    Ok(Assistant {
        name: NAME.into(),
        title: "Robot advisor".into(),
        description: "Find out whether a cleaning robot pays off in your building, and choose one."
            .into(),
        // The design lets everyone who is signed in begin a conversation.
        roles: Vec::new(),
        instructions: include_str!("instructions/assistant.md").into(),
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
        toolbox: tools::toolbox(products, &ctx.public_url)?,
        context: vec![
            Arc::new(Journey),
            Arc::new(ProductContext {
                products: Arc::clone(products),
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
        greeting: include_str!("instructions/greeting.md").into(),
        suggestions: Suggestion::for_all(&[
            "Our company is called Riverside Racquets. We are a pickleball club with 6 courts on 30,000 square feet. We vacuum and mop 4 hours a day, pay $20 an hour and spend $3,500 a month.",
            "Find robots that can mop and vacuum",
            "Show robots that lease for less than $1,000 a month",
        ]),
    })
}
