//! What the assistant can look up and write down: one file a tool. All of them know the candidates of
//! one gig, that of the conversation, and no others.

mod best_candidates;
mod compare_candidates;
mod filter_candidates;
mod find_candidate;
mod pool_statistics;
mod set_hr_status;
mod words;

use std::sync::Arc;

use frontdesk_core::tool::{ToolContext, ToolError};
use frontdesk_core::toolbox::{Toolbox, ToolboxError};
use serde::Serialize;
use serde_json::{Value, json};

use super::domain::candidate::CandidateContext;
use super::domain::pool::{Found, Pool};
use super::domain::tongue::Tongue;
use super::store::{GigError, Gigs, REMEMBERED};

pub(super) fn toolbox(gigs: &Arc<Gigs>) -> Result<Toolbox, ToolboxError> {
    let desk = || Desk {
        gigs: Arc::clone(gigs),
    };
    Toolbox::builder()
        .phrasings(include_str!("../phrasings.txt"))
        .tool(find_candidate::FindCandidate(desk()))
        .tool(compare_candidates::CompareCandidates(desk()))
        .tool(best_candidates::BestCandidates(desk()))
        .tool(filter_candidates::FilterCandidates(desk()))
        .tool(pool_statistics::PoolStatistics(desk()))
        .tool(set_hr_status::SetHrStatus(desk()))
        .build()
}

/// What every tool starts from.
struct Desk {
    gigs: Arc<Gigs>,
}

/// A result with its words in the person's language.
#[derive(Serialize)]
struct Told {
    #[serde(flatten)]
    data: Value,
    #[serde(skip)]
    words: String,
}

impl Desk {
    /// The gig's candidates, and the language to answer in.
    async fn pool(&self, ctx: &ToolContext) -> Result<(Arc<Pool>, Tongue), ToolError> {
        let tongue = Tongue::of(ctx.said());
        let seen = self.gigs.of(ctx.principal(), ctx.conversation()).await;
        let seen = seen.map_err(|error| refusal(error, tongue))?;
        if ctx.conversation().subject.is_none() {
            ctx.remember(REMEMBERED, json!(seen.pool.gig.id));
        }
        Ok((seen.pool, tongue))
    }
}

fn refusal(error: GigError, tongue: Tongue) -> ToolError {
    match error {
        GigError::NotFound => {
            ToolError::refused(tongue.pick("Задание не найдено", "Gig not found"))
        }
        GigError::Forbidden => ToolError::refused(tongue.pick(
            "Нет доступа к этому заданию",
            "You have no access to this gig",
        )),
        GigError::Db(cause) => ToolError::failed(cause),
    }
}

/// The one candidate who is called so; else whom people may have meant.
fn one<'a>(pool: &'a Pool, asked: &str, tongue: Tongue) -> Result<&'a CandidateContext, ToolError> {
    match pool.find(asked) {
        Found::One(candidate) => Ok(candidate),
        Found::Several(several) => Err(ToolError::refused(format!(
            "{}: {}",
            tongue.pick(
                "Таких кандидатов несколько, уточните, о ком речь",
                "Several candidates are called so, please say whom you mean"
            ),
            names(&several)
        ))),
        Found::UnavailableApi(near) => Err(ToolError::refused(nobody(pool, asked, &near, tongue))),
    }
}

/// Says that nobody is called so, and who is called something like it, or who there is.
fn nobody(pool: &Pool, asked: &str, near: &[&CandidateContext], tongue: Tongue) -> String {
    const LISTED: usize = 5;
    let asked: String = asked.chars().take(100).collect();
    let missing = match tongue {
        Tongue::Russian => format!("Кандидата «{asked}» в этом задании нет"),
        Tongue::English => format!("There is no candidate \"{asked}\" in this gig"),
    };
    if pool.candidates.is_empty() {
        return format!("{missing}. {}", words::empty(tongue));
    }
    if near.is_empty() {
        let some: Vec<&CandidateContext> = pool.candidates.iter().take(LISTED).collect();
        let label = tongue.pick("Есть, например", "There are, for example");
        return format!("{missing}. {label}: {}", names(&some));
    }
    let label = tongue.pick("Похожие имена", "Similar names");
    format!("{missing}. {label}: {}", names(near))
}

fn names(candidates: &[&CandidateContext]) -> String {
    let names: Vec<String> = candidates.iter().take(10).map(|one| one.name()).collect();
    names.join(", ")
}
