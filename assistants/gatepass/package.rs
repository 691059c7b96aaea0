//! Sets the assistant up: its tools, limits, tables and demo people.

use std::sync::Arc;
use std::time::Duration;

use chrono_tz::Tz;
use frontdesk_core::assistant::{Assistant, Limits};
use frontdesk_core::model::ModelSettings;
use frontdesk_core::toolbox::Toolbox;

use frontdesk_bundle::{Bundle, Eval, Package, SetupContext, SetupError};

use crate::api::GatePassClient;
use crate::context::Situation;
use crate::inbox::PendingPasses;
use crate::photo::PhotoRules;
use crate::runner::{Gate, Runner};
use crate::settings::Config;
use crate::{api, people, routes, tools};

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
];

/// A turn may have to wait for three retries.
const TURN: Duration = Duration::from_secs(180);

/// The platform ends a tool that has not ended itself by then.
const MARGIN: Duration = Duration::from_secs(5);

pub(crate) fn bundle(ctx: &SetupContext) -> Result<Bundle, SetupError> {
    let bundled = ctx.services.get(NAME).map(String::as_str);
    let config = Config::new(&ctx.settings, bundled)?;
    let zone = config.zone;
    let gate = gate(config, ctx)?;
    Ok(Bundle {
        routes: routes::routes(&gate),
        inbox: Some(Arc::new(PendingPasses {
            gate: Arc::clone(&gate),
        })),
        ..Bundle::new(assistant(&gate, zone, ctx)?, people::personas())
    })
}

fn assistant(gate: &Arc<Gate>, zone: Tz, ctx: &SetupContext) -> Result<Assistant, SetupError> {
    Ok(Assistant {
        name: NAME,
        title: "Gate passes",
        description: "Create, decide, scan and print gate passes in plain words.",
        roles: tools::EVERYONE.to_vec(),
        instructions: include_str!("instructions/assistant.md"),
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
        greeting: "Hello! I look after the gate passes. Ask for a pass, decide about one, or record who leaves and who comes back.",
        suggestions: &[
            "Create a gate pass for Ali Khan, bank visit, he will be back",
            "Which passes are pending?",
            "Show the QR code of a pass",
            "Do I have any notifications?",
        ],
    })
}

/// What all tools share.
pub(crate) fn gate(config: Config, ctx: &SetupContext) -> Result<Arc<Gate>, SetupError> {
    let client = GatePassClient::new(
        config.base_url,
        config.timeout,
        Arc::clone(&ctx.service_tokens),
        Arc::clone(&ctx.env),
    )?;
    Ok(Arc::new(Gate {
        client,
        photos: PhotoRules {
            max_bytes: config.max_file_size,
            formats: config.formats,
        },
        zone: config.zone,
        budget: api::longest(config.timeout),
        delete_approvers: config.delete_approvers,
    }))
}

fn toolbox(gate: &Arc<Gate>) -> Result<Toolbox, SetupError> {
    let mut builder = Toolbox::builder().phrasings(include_str!("phrasings.txt"));
    for entry in tools::all() {
        let runner = Runner {
            entry,
            gate: Arc::clone(gate),
        };
        let mut def = entry.def(gate.budget + MARGIN);
        if matches!(entry.consent, tools::Consent::Always) {
            def.spec = def.spec.approval(gate.delete_approvers.iter().cloned());
        }
        builder = builder.data_tool(def, Arc::new(runner));
    }
    Ok(builder.build()?)
}
