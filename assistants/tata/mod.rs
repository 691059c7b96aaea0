//! Tata, the recruiter's assistant: from the notes of a start-up meeting to the funnel report. One conversation is one
//! recruitment project.
//!
//! - `document` is the one form of every document; `edit` is a person's own change to one
//! - `tools` has one file a document: its arguments, what the model is asked for, and what is filled
//!   in without one; `writing`, `sources` and `documents` are what they share
//! - `funnel` computes; `labels`, `words`, `examples` and `instructions` are words for people and models
//! - `project` is what a conversation knows of its project

mod chips;
mod date_text;
mod document;
mod documents;
mod edit;
mod examples;
mod export;
mod facts;
mod funnel;
mod guides;
mod inclusion;
mod labels;
mod language;
mod module;
mod naming;
mod notes;
mod orders;
mod people;
mod project;
mod recommendation;
mod settings;
mod sources;
mod style_guide;
mod tools;
mod word_list;
mod writing;

#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Duration;

use frontdesk_core::access::Role;
use frontdesk_core::assistant::{Assistant, Limits, MessageLimit};
use frontdesk_core::model::ModelSettings;
use frontdesk_core::transcript::Window;

use crate::Eval;
use crate::bundle::{Bundle, SetupError, Surroundings};

use facts::{Facts, KEEP_FACT, KeepFact};
use guides::Guides;
use project::Project;
use writing::Resources;

pub(crate) use settings::SETTINGS;

pub(crate) const NAME: &str = "tata";

pub(crate) const EVALS: &[Eval] = &[
    ("requests", include_str!("evals/requests.toml")),
    ("documents", include_str!("evals/documents.toml")),
    ("attacks", include_str!("evals/attacks.toml")),
];

/// Start-up notes and transcripts are pasted whole.
const LONGEST_MESSAGE: usize = 200_000;

/// A turn may write several documents, each with a repair round.
const LONGEST_TURN: Duration = Duration::from_secs(300);
const TOKENS_A_TURN: u64 = 600_000;

pub(crate) fn bundle(around: &Surroundings) -> Result<Bundle, SetupError> {
    let resources = Arc::new(Resources {
        guides: Guides::new(settings::guides(&around.settings))?,
        facts: Facts::new(around.db.clone()),
    });
    Ok(Bundle {
        migrations: Some(facts::MIGRATIONS),
        export: Some(export::export),
        edit: Some(edit::edit),
        appliers: vec![(KEEP_FACT, Arc::new(KeepFact))],
        ..Bundle::new(assistant(&resources, around)?, people::personas())
    })
}

fn assistant(resources: &Arc<Resources>, around: &Surroundings) -> Result<Assistant, SetupError> {
    Ok(Assistant {
        name: NAME,
        title: "Tata",
        description: "From the start-up meeting to the hire: profile, job ad, interview guides, outreach, reports.",
        roles: vec![Role::RECRUITER],
        instructions: include_str!("instructions/assistant.md"),
        phases: Vec::new(),
        toolbox: tools::toolbox(resources)?,
        context: vec![Arc::new(Project {
            world: Arc::clone(&around.world),
        })],
        reply_schema: None,
        model: ModelSettings {
            model: "gpt-4o".to_owned(),
            temperature: Some(0.2),
            max_tokens: Some(4_000),
        },
        limits: Limits {
            // The design's limit for the history.
            window: Window {
                max_messages: 50,
                ..Limits::default().window
            },
            message: MessageLimit::Characters(LONGEST_MESSAGE),
            turn: LONGEST_TURN,
            tokens_a_turn: TOKENS_A_TURN,
            ..Limits::default()
        },
        greeting: include_str!("instructions/greeting.md"),
        suggestions: project::FIRST_CHIPS,
    })
}
