//! Sets the assistant up: its tools, limits, tables and demo people.

use std::sync::Arc;

use frontdesk_core::assistant::{Assistant, Limits, Suggestion};
use frontdesk_core::model::ModelSettings;
use frontdesk_core::toolbox::Toolbox;
use frontdesk_core::transcript::Window;

use frontdesk_bundle::{Bundle, DemoDocuments, Eval, Package, SetupContext, SetupError};

use crate::config::AgentConfig;
use crate::object_search::DocumentSearch;
use crate::search_docs::SearchDocs;
use crate::{config, handbook, people};

use crate::config::SETTINGS;

pub const PACKAGE: Package = Package {
    name: NAME,
    settings: SETTINGS,
    evals: EVALS,
    operations: Vec::new,
    set_up: bundle,
};

const NAME: &str = "docs";

const EVALS: &[Eval] = &[
    ("answers", include_str!("evals/answers.toml")),
    ("attacks", include_str!("evals/attacks.toml")),
    ("requests", include_str!("evals/requests.toml")),
];

/// The part of a model's window for one conversation, in tokens.
const WINDOW: u32 = 12_000;

fn bundle(ctx: &SetupContext) -> Result<Bundle, SetupError> {
    let config = AgentConfig::new(&ctx.settings)?;
    let mut bundle = Bundle::new(assistant(&config, ctx)?, people::personas());
    bundle.demo_documents = Some(DemoDocuments {
        collection: config::DEMO_COLLECTION,
        files: handbook::FILES,
    });
    bundle.search = Some(Arc::new(DocumentSearch {
        search: Arc::clone(&ctx.search),
        config,
        public_url: ctx.public_url.clone(),
    }));
    Ok(bundle)
}

fn assistant(config: &AgentConfig, ctx: &SetupContext) -> Result<Assistant, SetupError> {
    Ok(Assistant {
        name: NAME.into(),
        title: "Documents".into(),
        description: "Ask the documents of your company and get answers with sources.".into(),
        roles: Vec::new(),
        instructions: config.system_prompt.into(),
        phases: Vec::new(),
        toolbox: Toolbox::builder()
            .tool(SearchDocs {
                search: Arc::clone(&ctx.search),
                config: config.clone(),
                public_url: ctx.public_url.clone(),
            })
            .phrasings(include_str!("phrasings.txt"))
            .build()?,
        context: Vec::new(),
        reply_schema: None,
        model: ModelSettings {
            model: config.model.clone(),
            temperature: Some(config.temperature),
            max_tokens: Some(config.max_tokens),
        },
        limits: Limits {
            window: Window {
                max_tokens: WINDOW,
                ..Limits::default().window
            },
            ..Limits::default()
        },
        greeting: "Ask anything about the documents. I answer from them and cite the source."
            .into(),
        suggestions: Suggestion::for_all(&[
            "How many days of annual leave do I have?",
            "How much may a hotel in Karachi cost?",
            "Who approves a purchase of 500,000 rupees?",
            "My laptop was stolen. What do I do?",
        ]),
    })
}
