//! Tata, the recruiter's assistant: from the notes of a start-up meeting to the funnel report. One conversation is one
//! recruitment project.
//!
//! - `domain` is what Tata knows about recruiting: ten pure processors, in five languages
//! - `tools` is one file a tool: a processor with its earlier documents, and what is kept of the result
//! - `workshop` gives the tools what they share; `guides` and `facts` are what the company decided about its words
//! - `project` is what a conversation knows of its project, and what the person might want next

mod domain;
mod export;
mod facts;
mod guides;
mod people;
mod project;
mod settings;
mod tools;
mod workshop;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use frontdesk_core::access::Role;
use frontdesk_core::assistant::{Assistant, Limits, MessageLimit};
use frontdesk_core::model::ModelSettings;
use frontdesk_core::transcript::Window;

use crate::Eval;
use crate::bundle::{Bundle, SetupError, Surroundings};

use facts::{Facts, KEEP_FACT, KeepFact};
use guides::Guides;
use project::Project;
use workshop::{LIBRARY, Workshop};

pub(crate) use settings::SETTINGS;

pub(crate) const NAME: &str = "tata";

pub(crate) const EVALS: &[Eval] = &[
    ("requests", include_str!("evals/requests.toml")),
    ("documents", include_str!("evals/documents.toml")),
    ("attacks", include_str!("evals/attacks.toml")),
];

/// Start-up notes and transcripts are pasted whole.
const LONGEST_MESSAGE: usize = 200_000;

pub(crate) fn bundle(around: &Surroundings) -> Result<Bundle, SetupError> {
    let library = LIBRARY.as_ref().map_err(|problem| SetupError::Part {
        assistant: NAME,
        cause: problem.to_string().into(),
    })?;
    let guides = Guides::new(settings::guides(&around.settings), library)?;
    let workshop = Arc::new(Workshop {
        library,
        guides,
        facts: Facts::new(around.db.clone()),
    });
    Ok(Bundle {
        migrations: Some(facts::MIGRATIONS),
        export: Some(export::export),
        appliers: vec![(KEEP_FACT, Arc::new(KeepFact))],
        ..Bundle::new(assistant(&workshop, around)?, people::personas())
    })
}

fn assistant(workshop: &Arc<Workshop>, around: &Surroundings) -> Result<Assistant, SetupError> {
    Ok(Assistant {
        name: NAME,
        title: "Tata",
        description: "From the start-up meeting to the hire: profile, job ad, interview guides, outreach, reports.",
        roles: vec![Role::RECRUITER],
        instructions: include_str!("instructions/assistant.md"),
        phases: Vec::new(),
        toolbox: tools::toolbox(workshop)?,
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
            ..Limits::default()
        },
        greeting: include_str!("instructions/greeting.md"),
        suggestions: project::FIRST_CHIPS,
    })
}
