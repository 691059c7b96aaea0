//! gig: recruiters ask about the candidates of a gig, in Russian or English, and get figures that
//! code computed.
//!
//! - `domain` is what can be known about a pool of candidates: ranking, statistics, look-ups, prompts
//! - `store` keeps gigs and responses, `context` tells the model of them, `tools` let it look things up
//! - `chat` is one conversation for each gig and person; `routes` and `procedures` are its doors
//! - `import` takes responses in from files, `demo` makes a workspace to try it with

mod chat;
mod context;
mod demo;
mod domain;
mod import;
mod inbox;
mod people;
mod procedures;
mod reply;
mod routes;
mod store;
mod tools;

#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Duration;

use frontdesk_core::access::Role;
use frontdesk_core::assistant::{Assistant, Limits, MessageLimit};
use frontdesk_core::model::ModelSettings;
use frontdesk_core::transcript::Window;

use crate::Eval;
use crate::bundle::{Bundle, SetupError, Surroundings, TraceNames};

use chat::Chat;
use context::GigFacts;
use inbox::UndecidedCandidates;
use store::{Gigs, SET_HR_STATUS, SetHrStatus};

pub(crate) use routes::operations;

pub(crate) const NAME: &str = "gig";

pub(crate) const EVALS: &[Eval] = &[
    ("requests", include_str!("evals/requests.toml")),
    ("attacks", include_str!("evals/attacks.toml")),
];

/// What the design calls the trace of a message, and what it is about.
const TRACE: TraceNames = TraceNames {
    name: Some("gig-ai-chat"),
    user: "userId",
    company: "workspaceId",
    subject: "gigId",
};

/// The design's limit, as zod counts it.
const LONGEST_MESSAGE: usize = 2_000;
const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) fn bundle(around: &Surroundings) -> Result<Bundle, SetupError> {
    let gigs = Arc::new(Gigs::new(around.db.clone(), Arc::clone(&around.world)));
    let chat = Arc::new(Chat {
        gigs: Arc::clone(&gigs),
        reception: Arc::clone(&around.reception),
    });
    Ok(Bundle {
        migrations: Some(store::MIGRATIONS),
        appliers: vec![(SET_HR_STATUS, Arc::new(SetHrStatus))],
        routes: routes::routes(&chat),
        procedures: procedures::procedures(&chat),
        subjects: Some(Arc::clone(&gigs) as _),
        demo_data: Some(Arc::new(demo::Workspace::new(&gigs, around))),
        import: Some(Arc::new(import::Responses {
            gigs: Arc::clone(&gigs),
        })),
        inbox: Some(Arc::new(UndecidedCandidates {
            gigs: Arc::clone(&gigs),
        })),
        trace: TRACE,
        ..Bundle::new(assistant(&gigs)?, people::personas())
    })
}

fn assistant(gigs: &Arc<Gigs>) -> Result<Assistant, SetupError> {
    Ok(Assistant {
        name: NAME,
        title: "Gig",
        description: "Answers questions about the candidates of a gig, with figures that are computed and not guessed.",
        roles: vec![Role::RECRUITER],
        instructions: domain::prompt::ROLE,
        phases: Vec::new(),
        toolbox: tools::toolbox(gigs)?,
        context: vec![Arc::new(GigFacts {
            gigs: Arc::clone(gigs),
        })],
        reply_schema: Some(reply::schema(gigs)?),
        model: ModelSettings {
            model: "gpt-4o-mini".to_owned(),
            temperature: Some(0.2),
            max_tokens: Some(1_500),
        },
        limits: Limits {
            window: Window {
                max_messages: 50,
                ..Limits::default().window
            },
            message: MessageLimit::Utf16Units(LONGEST_MESSAGE),
            turn: PATIENCE,
            ..Limits::default()
        },
        greeting: "Спросите о кандидатах задания: кто лучший и почему, кто укладывается в бюджет, чем отличаются двое.",
        suggestions: &[
            "Кто лучший кандидат и почему?",
            "Кто самый дешёвый в рамках бюджета?",
            "Сколько кандидатов в каждом статусе?",
            "Who is the best candidate and why?",
        ],
    })
}
