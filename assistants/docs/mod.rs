//! Questions to a body of documents, answered from passages that are cited and checked.
//!
//! - `config` is what an operator may set; `search_docs` is the one tool
//! - `retrieval` is what it tells the model; `answer` quotes passages where no model writes
//! - `selection` keeps an answer to the text that a reader marked
//! - `handbook` lists the documents that come with the product

mod answer;
mod config;
mod handbook;
mod people;
mod retrieval;
mod search_docs;
mod selection;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use frontdesk_core::assistant::{Assistant, Limits};
use frontdesk_core::model::ModelSettings;
use frontdesk_core::toolbox::Toolbox;
use frontdesk_core::transcript::Window;

use crate::Eval;
use crate::bundle::{Bundle, DemoDocuments, SetupError, Surroundings};

use config::AgentConfig;
use search_docs::SearchDocs;

pub(crate) use config::SETTINGS;

pub(crate) const NAME: &str = "docs";

pub(crate) const EVALS: &[Eval] = &[
    ("answers", include_str!("evals/answers.toml")),
    ("attacks", include_str!("evals/attacks.toml")),
    ("requests", include_str!("evals/requests.toml")),
];

/// What a conversation may take of a model's window, in tokens.
const WINDOW: u32 = 12_000;

pub(crate) fn bundle(around: &Surroundings) -> Result<Bundle, SetupError> {
    let config = AgentConfig::new(&around.settings)?;
    let mut bundle = Bundle::new(assistant(&config, around)?, people::personas());
    bundle.demo_documents = Some(DemoDocuments {
        collection: config::DEFAULT_COLLECTION,
        files: handbook::FILES,
    });
    Ok(bundle)
}

fn assistant(config: &AgentConfig, around: &Surroundings) -> Result<Assistant, SetupError> {
    Ok(Assistant {
        name: NAME,
        title: "Documents",
        description: "Ask a body of documents and get answers with sources.",
        roles: Vec::new(),
        instructions: config.system_prompt,
        phases: Vec::new(),
        toolbox: Toolbox::builder()
            .tool(SearchDocs {
                search: Arc::clone(&around.search),
                config: config.clone(),
                public_url: around.public_url.clone(),
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
        greeting: "Hello! Ask me about the documents here; I answer from them and say where it stands.",
        suggestions: &[
            "How do approvals work?",
            "What happens when the server crashes in the middle of a turn?",
            "How do I take in a folder of my own?",
            "Who may approve a gate pass?",
        ],
    })
}
