//! Sets the assistant up: its tools, limits, tables and demo people.

use std::sync::Arc;
use std::time::Duration;

use frontdesk_core::access::Role;
use frontdesk_core::assistant::{Assistant, Limits, MessageLimit, Suggestion};
use frontdesk_core::model::ModelSettings;
use frontdesk_core::setting::{Setting, SettingKind};
use frontdesk_core::transcript::Window;

use frontdesk_bundle::{Bundle, Eval, Package, SetupContext, SetupError, TraceNames};

use crate::chat::Chat;
use crate::context::GigContextLoader;
use crate::context::LAST_MESSAGES;
use crate::domain::rates::Rates;
use crate::inbox::UndecidedCandidates;
use crate::object_search::GigSearch;
use crate::store::{Gigs, SET_HR_STATUS, SetHrStatus};
use crate::{demo, domain, import, people, procedures, reply, routes, store, tools};

use crate::routes::operations;

pub const PACKAGE: Package = Package {
    name: NAME,
    settings: &[RATES],
    evals: EVALS,
    operations,
    set_up: bundle,
};

pub(crate) const NAME: &str = "gig";

const RATES: Setting = Setting {
    key: "gig.rates",
    default: "",
    env: None,
    kind: SettingKind::Text,
    about: "Exchange rates for comparing prices, such as \"USD/RUB=92.5, EUR/RUB=100\". Without a rate, prices in different currencies are never compared.",
};

const EVALS: &[Eval] = &[
    ("requests", include_str!("evals/requests.toml")),
    ("attacks", include_str!("evals/attacks.toml")),
];

/// The design's names for the trace of a message and its attributes.
const TRACE: TraceNames = TraceNames {
    name: Some("gig-ai-chat"),
    user: "userId",
    company: "workspaceId",
    subject: "gigId",
};

/// The design's limit, as zod counts it.
pub(crate) const LONGEST_MESSAGE: usize = 2_000;
/// The design's rate limit per person.
pub(crate) const MESSAGES_A_MINUTE: u32 = 20;
const PATIENCE: Duration = Duration::from_secs(60);

fn bundle(ctx: &SetupContext) -> Result<Bundle, SetupError> {
    let configured = ctx.settings.get(RATES.key).map(String::as_str);
    let rates = Rates::parse(configured.unwrap_or_default()).map_err(|problem| {
        let key = RATES.key;
        SetupError::Setting { key, problem }
    })?;
    let gigs = Gigs::new(ctx.db.clone(), Arc::clone(&ctx.env), rates);
    let gigs = Arc::new(gigs);
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
        search: Some(Arc::new(GigSearch {
            gigs: Arc::clone(&gigs),
        })),
        trace: TRACE,
        ..Bundle::new(assistant(&gigs)?, people::personas())
    })
}

fn assistant(gigs: &Arc<Gigs>) -> Result<Assistant, SetupError> {
    Ok(Assistant {
        name: NAME.into(),
        title: "Candidates".into(),
        description: "Answers questions about the candidates of a gig, with figures that are computed and not guessed.".into(),
        roles: vec![Role::RECRUITER],
        instructions: domain::prompt::INSTRUCTIONS.into(),
        phases: Vec::new(),
        toolbox: tools::toolbox(gigs)?,
        context: vec![Arc::new(GigContextLoader {
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
                last_texts: Some(LAST_MESSAGES),
                ..Limits::default().window
            },
            message: MessageLimit::Utf16Units(LONGEST_MESSAGE),
            messages_a_minute: MESSAGES_A_MINUTE,
            turn: PATIENCE,
            ..Limits::default()
        },
        greeting: "Спросите о кандидатах задания: кто лучший и почему, кто укладывается в бюджет, чем отличаются двое.".into(),
        suggestions: Suggestion::for_all(&[
            "Who is the best candidate and why?",
            "Who is the cheapest within budget?",
            "How many candidates are there by status?",
        ]),
    })
}
