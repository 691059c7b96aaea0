//! Sets up the assistant: its manifest with the settings of the installation, and its own parts.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use frontdesk_bundle::{BoxError, Bundle, Eval, Package, RequiredSystem, SetupContext, SetupError};
use frontdesk_connect::manifest::{
    Extension, Manifest, ManifestAssistant, ManifestFolder, SetUp, SourceEntry, load_extended,
};
use frontdesk_connect::{HttpTool, Source, TokenSources};
use frontdesk_core::access::{Principal, Role};
use frontdesk_core::tool::ToolDef;

use crate::context::Situation;
use crate::inbox::PendingPasses;
use crate::object_search::PassSearch;
use crate::pass_cards;
use crate::routes::{self, operations};
use crate::runner::Runner;
use crate::settings::{Config, SETTINGS};

pub const PACKAGE: Package = Package {
    name: NAME,
    settings: SETTINGS,
    evals: EVALS,
    operations,
    set_up: bundle,
};

const NAME: &str = "gatepass";
const EVALS: &[Eval] = &[
    ("requests", include_str!("evals/requests.toml")),
    ("attacks", include_str!("evals/attacks.toml")),
    (
        "attacks_on_targets",
        include_str!("evals/attacks_on_targets.toml"),
    ),
];

/// The tools, for requests outside a conversation.
pub(super) struct Gate {
    pub(super) tools: BTreeMap<String, (Vec<Role>, Arc<HttpTool>)>,
}

impl Gate {
    /// The first of these tools that the person may use.
    pub(super) fn tool(&self, who: &Principal, names: &[&str]) -> Option<&HttpTool> {
        let found = names.iter().filter_map(|name| self.tools.get(*name));
        let mut allowed = found.filter(|(roles, _)| who.holds_any(roles));
        allowed.next().map(|(_, tool)| tool.as_ref())
    }

    /// The roles that may use one of these tools.
    pub(super) fn roles(&self, names: &[&str]) -> Vec<&Role> {
        let found = names.iter().filter_map(|name| self.tools.get(*name));
        found.flat_map(|(roles, _)| roles).collect()
    }

    pub(super) fn has_tool(&self, name: &str) -> bool {
        self.tools.contains_key(name)
    }
}

pub(crate) fn bundle(ctx: &SetupContext) -> Result<Bundle, SetupError> {
    let bundled = ctx.services.get(NAME).map(String::as_str);
    let config = Config::new(&ctx.settings, bundled)?;
    let systems = systems(&config.source, bundled);
    let (loaded, gate) = load(&config, ctx)?;
    let gate = Arc::new(gate);
    let shared = || broken("its manifest is in use already");
    let mut assistant = Arc::into_inner(loaded.assistant).ok_or_else(shared)?;
    assistant.context.push(Arc::new(Situation {
        env: Arc::clone(&ctx.env),
        zone: config.zone,
        gate: Arc::clone(&gate),
    }));
    Ok(Bundle {
        routes: routes::routes(&gate),
        systems,
        inbox: Some(Arc::new(PendingPasses {
            gate: Arc::clone(&gate),
        })),
        search: Some(Arc::new(PassSearch { gate })),
        ..Bundle::new(assistant, loaded.people)
    })
}

/// The API, unless it is the bundled one, which this process serves itself.
fn systems(source: &Source, bundled: Option<&str>) -> Vec<RequiredSystem> {
    if bundled.is_some_and(|bundled| source.base_url.trim_end_matches('/') == bundled) {
        return Vec::new();
    }
    vec![RequiredSystem {
        name: "the gate pass system".to_owned(),
        url: source.base_url.clone(),
        setting: "API_BASE_URL".to_owned(),
    }]
}

/// Loads the embedded manifest.
pub(crate) fn load(
    config: &Config,
    ctx: &SetupContext,
) -> Result<(ManifestAssistant, Gate), SetupError> {
    let folder = ManifestFolder::embedded(
        NAME,
        include_str!("assistant.toml"),
        include_str!("instructions/assistant.md"),
        include_str!("phrasings.txt"),
    );
    let set_up = SetUp {
        env: Arc::clone(&ctx.env),
        tokens: TokenSources {
            mint: Arc::clone(&ctx.service_tokens),
            person: Arc::clone(&ctx.person_tokens),
        },
        search: Arc::clone(&ctx.search),
        inherited: BTreeMap::new(),
        variables: Arc::new(|_| None),
        model: None,
    };
    let tools = RefCell::new(BTreeMap::new());
    let extension = Extension {
        adapt: &|manifest| insert_settings(manifest, config),
        runner: &|def: &mut ToolDef, tool| {
            let tool = Arc::new(tool);
            let entry = (def.spec.roles.clone(), Arc::clone(&tool));
            tools.borrow_mut().insert(def.name.to_string(), entry);
            if def.spec.target.as_deref() == Some("pass_number") {
                def.spec.preview = Some(pass_cards::preview());
            }
            Arc::new(Runner::new(tool, config.zone))
        },
    };
    let loaded = load_extended(&folder, &set_up, &extension).map_err(broken)?;
    let tools = tools.into_inner();
    Ok((loaded, Gate { tools }))
}

fn insert_settings(manifest: &mut Manifest, config: &Config) {
    if let Some(SourceEntry::Http(source)) = manifest.source.get_mut("api") {
        **source = Source {
            name: source.name.clone(),
            address_setting: source.address_setting.clone(),
            actions: source.actions.clone(),
            ..config.source.clone()
        };
    }
    for tool in manifest.tool.values_mut() {
        if let Some(photo) = tool.parameters.get_mut("photo") {
            photo.accept.clone_from(&config.photo_formats);
            photo.max_bytes = Some(config.max_photo_bytes);
        }
    }
    if let Some(delete) = manifest.tool.get_mut("delete_gate_pass") {
        let roles = config.delete_approvers.iter();
        delete.approvers = roles.cloned().collect();
    }
}

fn broken(cause: impl Into<BoxError>) -> SetupError {
    SetupError::Part {
        assistant: NAME,
        cause: cause.into(),
    }
}
