//! Sets the assistant up: its tools, limits, tables and demo people.

use std::sync::Arc;
use std::time::Duration;

use frontdesk_core::access::{CompanyRole, Role};
use frontdesk_core::assistant::{Assistant, Limits, MessageLimit, Suggestion};
use frontdesk_core::model::ModelSettings;
use frontdesk_core::persona::Persona;
use frontdesk_core::transcript::Window;

use frontdesk_bundle::{Bundle, Eval, Package, SetupContext, SetupError};

use crate::facts::{KEEP_FACT, KeepFact};
use crate::guides::{Guides, SETTINGS};
use crate::project::Project;
use crate::writing::Resources;
use crate::{chips, documents, edit, facts, tools};

pub const PACKAGE: Package = Package {
    name: NAME,
    settings: SETTINGS,
    evals: EVALS,
    operations: Vec::new,
    set_up: bundle,
};

const NAME: &str = "tata";

const EVALS: &[Eval] = &[
    ("requests", include_str!("evals/requests.toml")),
    ("documents", include_str!("evals/documents.toml")),
    ("attacks", include_str!("evals/attacks.toml")),
];

/// Start-up notes and transcripts are pasted whole.
const LONGEST_MESSAGE: usize = 200_000;

/// A turn may write several documents, each with a repair round.
const LONGEST_TURN: Duration = Duration::from_secs(300);
const TOKENS_A_TURN: u64 = 600_000;

pub(crate) fn bundle(ctx: &SetupContext) -> Result<Bundle, SetupError> {
    let resources = Arc::new(Resources {
        guides: Guides::new(&ctx.settings)?,
        db: ctx.db.clone(),
    });
    Ok(Bundle {
        migrations: Some(facts::MIGRATIONS),
        export: Some(documents::export),
        edit: Some(edit::edit),
        appliers: vec![(KEEP_FACT, Arc::new(KeepFact))],
        ..Bundle::new(assistant(&resources, ctx)?, vec![recruiter()])
    })
}

fn assistant(resources: &Arc<Resources>, ctx: &SetupContext) -> Result<Assistant, SetupError> {
    Ok(Assistant {
        name: NAME.into(),
        title: "Recruiting".into(),
        description: "From the start-up meeting to the hire: profile, job ad, interview guides, outreach, reports.".into(),
        roles: vec![Role::RECRUITER],
        instructions: include_str!("instructions/assistant.md").into(),
        phases: Vec::new(),
        toolbox: tools::toolbox(resources)?,
        context: vec![Arc::new(Project {
            env: Arc::clone(&ctx.env),
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
        greeting: include_str!("instructions/greeting.md").into(),
        suggestions: Suggestion::for_all(chips::FIRST),
    })
}

/// The demo recruiter.
fn recruiter() -> Persona {
    Persona {
        name: "recruiter".into(),
        display_name: "Maria Holm".into(),
        email: "maria.holm@example.com".into(),
        roles: vec![Role::RECRUITER],
        // The workspace with the gigs of the demo; one person looks after both.
        company: Some(("Nordlys Talent", CompanyRole::Owner)),
    }
}
