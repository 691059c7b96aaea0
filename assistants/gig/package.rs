//! Sets the assistant up: its tools, limits, tables and demo people.

use std::sync::Arc;
use std::time::Duration;

use frontdesk_core::access::Role;
use frontdesk_core::assistant::{Assistant, Limits, MessageLimit};
use frontdesk_core::model::ModelSettings;
use frontdesk_core::transcript::Window;

use frontdesk_bundle::{Bundle, Eval, Package, SetupContext, SetupError, TraceNames};

use crate::chat::Chat;
use crate::context::GigFacts;
use crate::inbox::UndecidedCandidates;
use crate::store::{Gigs, SET_HR_STATUS, SetHrStatus};
use crate::{demo, domain, import, people, procedures, reply, routes, store, tools};

use crate::routes::operations;

pub const PACKAGE: Package = Package {
    name: NAME,
    settings: &[],
    evals: EVALS,
    operations,
    set_up: bundle,
};

pub(crate) const NAME: &str = "gig";

const EVALS: &[Eval] = &[
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
pub(crate) const LONGEST_MESSAGE: usize = 2_000;
const PATIENCE: Duration = Duration::from_secs(60);

fn bundle(ctx: &SetupContext) -> Result<Bundle, SetupError> {
    let gigs = Arc::new(Gigs::new(ctx.db.clone(), Arc::clone(&ctx.env)));
    let chat = Arc::new(Chat {
        gigs: Arc::clone(&gigs),
        conversation_api: Arc::clone(&ctx.conversation_api),
    });
    Ok(Bundle {
        migrations: Some(store::MIGRATIONS),
        appliers: vec![(SET_HR_STATUS, Arc::new(SetHrStatus))],
        routes: routes::routes(&chat),
        procedures: procedures::procedures(&chat),
        subjects: Some(Arc::clone(&gigs) as _),
        demo_data: Some(Arc::new(demo::Workspace::new(&gigs, ctx))),
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
