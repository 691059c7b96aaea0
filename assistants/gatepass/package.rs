//! Sets up the assistant: its tools, limits, tables and demo people.

use std::sync::Arc;
use std::time::Duration;

use chrono_tz::Tz;
use frontdesk_connect::{HttpSource, TokenSources};
use frontdesk_core::assistant::{Assistant, Limits};
use frontdesk_core::model::ModelSettings;
use frontdesk_core::toolbox::Toolbox;

use frontdesk_bundle::{BoxError, Bundle, Eval, Package, RequiredSystem, SetupContext, SetupError};

use crate::context::Situation;
use crate::inbox::PendingPasses;
use crate::object_search::PassSearch;
use crate::runner::{Gate, Runner};
use crate::settings::Config;
use crate::{people, routes, tools};

use crate::routes::operations;
use crate::settings::SETTINGS;

pub const PACKAGE: Package = Package {
    name: NAME,
    settings: SETTINGS,
    evals: EVALS,
    operations,
    set_up: bundle,
};

pub(crate) const NAME: &str = "gatepass";

const EVALS: &[Eval] = &[
    ("requests", include_str!("evals/requests.toml")),
    ("attacks", include_str!("evals/attacks.toml")),
    (
        "attacks_on_targets",
        include_str!("evals/attacks_on_targets.toml"),
    ),
];

/// Long enough for three retries.
const TURN: Duration = Duration::from_secs(180);

/// The platform aborts a tool this long after its own deadline.
const MARGIN: Duration = Duration::from_secs(5);

pub(crate) fn bundle(ctx: &SetupContext) -> Result<Bundle, SetupError> {
    let bundled = ctx.services.get(NAME).map(String::as_str);
    let config = Config::new(&ctx.settings, bundled)?;
    let zone = config.zone;
    let gate = gate(config, ctx)?;
    Ok(Bundle {
        routes: routes::routes(&gate),
        systems: systems(&gate, bundled),
        inbox: Some(Arc::new(PendingPasses {
            gate: Arc::clone(&gate),
        })),
        search: Some(Arc::new(PassSearch {
            gate: Arc::clone(&gate),
        })),
        ..Bundle::new(assistant(&gate, zone, ctx)?, people::personas())
    })
}

/// The API, unless it is the bundled one, which this process serves itself.
fn systems(gate: &Gate, bundled: Option<&str>) -> Vec<RequiredSystem> {
    let source = gate.source.source();
    if bundled.is_some_and(|bundled| source.base_url.trim_end_matches('/') == bundled) {
        return Vec::new();
    }
    vec![RequiredSystem {
        name: source.name.clone(),
        url: source.base_url.clone(),
        setting: source.address_setting.clone(),
    }]
}

fn assistant(gate: &Arc<Gate>, zone: Tz, ctx: &SetupContext) -> Result<Assistant, SetupError> {
    Ok(Assistant {
        name: NAME.into(),
        title: "Gate passes".into(),
        description: "Create, decide, scan and print gate passes in plain words.".into(),
        roles: tools::EVERYONE.to_vec(),
        instructions: include_str!("instructions/assistant.md").into(),
        phases: Vec::new(),
        toolbox: toolbox(gate)?,
        context: vec![Arc::new(Situation {
            env: Arc::clone(&ctx.env),
            zone,
        })],
        reply_schema: None,
        model: ModelSettings {
            model: "gpt-4".to_owned(),
            temperature: Some(0.0),
            max_tokens: Some(1_000),
        },
        limits: Limits {
            turn: TURN,
            ..Limits::default()
        },
        greeting: "Hello! I look after the gate passes. Ask for a pass, decide about one, or record who leaves and who comes back.".into(),
        suggestions: people::suggestions(),
    })
}

/// Builds the state that all tools share.
pub(crate) fn gate(config: Config, ctx: &SetupContext) -> Result<Arc<Gate>, SetupError> {
    let tokens = TokenSources {
        mint: Arc::clone(&ctx.service_tokens),
        person: Arc::clone(&ctx.person_tokens),
    };
    let source = HttpSource::new(config.source, tokens, Arc::clone(&ctx.env)).map_err(broken)?;
    Ok(Arc::new(Gate {
        source: Arc::new(source),
        photos: config.photos,
        zone: config.zone,
        delete_approvers: config.delete_approvers,
    }))
}

fn toolbox(gate: &Arc<Gate>) -> Result<Toolbox, SetupError> {
    if let Some(problem) = tools::problem() {
        return Err(broken(problem));
    }
    let mut builder = Toolbox::builder().phrasings(include_str!("phrasings.txt"));
    let timeout = gate.source.budget() + MARGIN;
    for entry in tools::all() {
        let mut def = entry.def(timeout, gate.source.knows_keys());
        if entry.name == tools::DELETE {
            def.spec = def.spec.approval(gate.delete_approvers.iter().cloned());
        }
        builder = builder.data_tool(def, Arc::new(Runner::new(entry, gate)));
    }
    Ok(builder.build()?)
}

fn broken(cause: impl Into<BoxError>) -> SetupError {
    SetupError::Part {
        assistant: NAME,
        cause: cause.into(),
    }
}
