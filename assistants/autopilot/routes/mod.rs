//! What the page shows beside the conversation: the catalogue, the figures with other assumptions, how far discovery is.
//! Every number on a panel is calculated here, by the same code as in the conversation.

mod answer;

use std::sync::Arc;

use axum::Router;
use axum::extract::{Extension, Path, State};
use axum::http::StatusCode;
use axum::middleware;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use frontdesk_core::access::{Principal, Role};
use frontdesk_core::conversation::Conversation;
use frontdesk_core::id::ConversationId;
use frontdesk_core::store::Conversations;
use frontdesk_core::world::World;
use frontdesk_store::{Appliers, Store};
use serde::Deserialize;
use serde_json::{Value, json};
use uuid::Uuid;

use super::domain::catalogue::{Filter, Robot};
use super::domain::discovery::Profile;
use super::domain::keys::Key;
use super::domain::recommend::{DEFAULT_TOP, MOST_TOP, recommend};
use super::domain::roi::{Assumptions, Edits, estimate};
use super::domain::shortlist::compare;
use super::journey;
use super::shelf::{AddError, Shelf};
use super::{NAME, Surroundings};
use answer::{Answer, Body, Denied, json_of};

#[derive(Clone)]
struct Panel {
    shelf: Arc<Shelf>,
    conversations: Arc<dyn Conversations>,
    world: Arc<dyn World>,
}

pub(super) fn router(shelf: &Arc<Shelf>, around: &Surroundings) -> Router {
    let panel = Panel {
        shelf: Arc::clone(shelf),
        conversations: Arc::new(Store::new(around.db.clone(), Appliers::default())),
        world: Arc::clone(&around.world),
    };
    Router::new()
        .route("/products", get(products).post(add_product))
        .route("/products/search", post(search_products))
        .route("/products/{sku}", get(product).delete(remove_product))
        .route("/roi/calculate", post(calculate))
        .route("/roi/recommendations", post(recommendations))
        .route("/discovery/questions", get(questions))
        .route("/discovery/{conversation}", get(discovery))
        .layer(middleware::map_response(answer::inert))
        .with_state(panel)
}

type Who = Extension<Principal>;

impl Panel {
    async fn robots(&self, who: &Principal) -> Result<Vec<Robot>, Denied> {
        Ok(self.shelf.robots(who).await?)
    }

    /// A conversation with this assistant that the person may see.
    async fn conversation(&self, who: &Principal, id: Uuid) -> Result<Conversation, Denied> {
        let found = self
            .conversations
            .get(who, ConversationId::from_uuid(id))
            .await?;
        if found.assistant != NAME {
            return Err(Denied::not_found("Conversation not found"));
        }
        Ok(found)
    }

    /// What a calculation is about: the facts of a conversation, or nothing but what is given.
    async fn profile(
        &self,
        who: &Principal,
        conversation: Option<Uuid>,
    ) -> Result<(Profile, Option<Conversation>), Denied> {
        match conversation {
            None => Ok((Profile::default(), None)),
            Some(id) => {
                let found = self.conversation(who, id).await?;
                Ok((journey::discovery(&found).profile(), Some(found)))
            }
        }
    }
}

fn operator(who: &Principal) -> Result<(), Denied> {
    if who.holds_any(&[Role::OPERATOR]) {
        return Ok(());
    }
    Err(Denied::role(Role::OPERATOR.as_str()))
}

async fn products(State(panel): State<Panel>, Extension(who): Who) -> Answer {
    let robots = panel.robots(&who).await?;
    let items: Vec<Value> = robots.iter().map(|robot| shown(&panel, robot)).collect();
    Ok(axum::Json(json!({ "items": items, "prices": "indicative" })).into_response())
}

fn shown(panel: &Panel, robot: &Robot) -> Value {
    let mut value = json!(robot);
    value["built_in"] = json!(panel.shelf.is_built_in(&robot.sku));
    value
}

async fn product(
    State(panel): State<Panel>,
    Extension(who): Who,
    Path(sku): Path<String>,
) -> Answer {
    let robots = panel.robots(&who).await?;
    let found = robots
        .iter()
        .find(|robot| robot.sku == sku)
        .ok_or_else(|| Denied::not_found("Product not found"))?;
    Ok(axum::Json(shown(&panel, found)).into_response())
}

async fn add_product(State(panel): State<Panel>, Extension(who): Who, body: Body) -> Answer {
    operator(&who)?;
    let robot: Robot = json_of(body)?;
    robot.check().map_err(Denied::invalid)?;
    match panel.shelf.add(&who, robot, panel.world.now()).await {
        Ok(added) => Ok((StatusCode::CREATED, axum::Json(shown(&panel, &added))).into_response()),
        Err(AddError::Exists) => Err(Denied::conflict(
            "There is a product with this sku or name already",
        )),
        Err(AddError::Db(error)) => Err(error.into()),
    }
}

async fn remove_product(
    State(panel): State<Panel>,
    Extension(who): Who,
    Path(sku): Path<String>,
) -> Answer {
    operator(&who)?;
    if panel.shelf.is_built_in(&sku) {
        return Err(Denied::conflict(
            "This product comes with the catalogue and cannot be removed",
        ));
    }
    if !panel.shelf.remove(&who, &sku).await? {
        return Err(Denied::not_found("Product not found"));
    }
    Ok(StatusCode::NO_CONTENT.into_response())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ProductSearch {
    query: String,
    category: Option<String>,
    surface: Option<super::domain::catalogue::Surface>,
    mode: Option<super::domain::catalogue::Mode>,
    aisle_width_cm: Option<f64>,
    max_monthly_lease: Option<f64>,
    top_k: Option<usize>,
}

async fn search_products(State(panel): State<Panel>, Extension(who): Who, body: Body) -> Answer {
    let wanted: ProductSearch = json_of(body)?;
    let filter = Filter {
        surface: wanted.surface,
        mode: wanted.mode,
        aisle_width_cm: wanted.aisle_width_cm,
        max_monthly_lease: wanted.max_monthly_lease,
        category: wanted.category,
    };
    filter.check().map_err(Denied::invalid)?;
    let top = top(wanted.top_k, 5)?;
    let count = panel.robots(&who).await?.len().clamp(1, 100);
    let found = panel.shelf.search(&who, &wanted.query, count).await?;
    let admitted = found
        .iter()
        .filter(|(robot, _)| filter.admits(robot))
        .take(top);
    let items: Vec<Value> = admitted
        .map(|(robot, score)| {
            let mut value = shown(&panel, robot);
            value["score"] = json!(score);
            value
        })
        .collect();
    Ok(axum::Json(json!({ "items": items, "prices": "indicative" })).into_response())
}

fn top(given: Option<usize>, default: usize) -> Result<usize, Denied> {
    match given {
        None => Ok(default),
        Some(top) if (1..=MOST_TOP).contains(&top) => Ok(top),
        Some(_) => Err(Denied::invalid((
            "top_k",
            format!("must be from 1 to {MOST_TOP}"),
        ))),
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Calculate {
    conversation_id: Option<Uuid>,
    /// By sku or by name; those of the last calculation, or of the shortlist, unless given.
    robots: Option<Vec<String>>,
    #[serde(default)]
    assumptions: Edits,
}

async fn calculate(State(panel): State<Panel>, Extension(who): Who, body: Body) -> Answer {
    let wanted: Calculate = json_of(body)?;
    wanted.assumptions.check().map_err(Denied::invalid)?;
    let (profile, conversation) = panel.profile(&who, wanted.conversation_id).await?;
    let robots = panel.robots(&who).await?;
    let with = Assumptions::of(&profile, &wanted.assumptions);
    let names = wanted
        .robots
        .filter(|names| !names.is_empty())
        .unwrap_or_else(|| {
            let kept = conversation.as_ref().map(|found| {
                (
                    journey::last_roi(found).robots,
                    journey::shortlist(found).robots,
                )
            });
            match kept {
                Some((last, _)) if !last.is_empty() => last,
                Some((_, listed)) if !listed.is_empty() => listed,
                Some(_) | None => {
                    let best =
                        recommend(&robots, &profile, &with, None, DEFAULT_TOP).recommendations;
                    best.into_iter().map(|one| one.sku).collect()
                }
            }
        });
    if names.len() > MOST_TOP {
        return Err(Denied::invalid((
            "robots",
            format!("must be at most {MOST_TOP}"),
        )));
    }
    let mut chosen = Vec::new();
    for name in &names {
        chosen.push(
            Shelf::named(&robots, name)
                .map_err(|(problem, _)| Denied::invalid(("robots", problem)))?,
        );
    }
    let estimates: Vec<_> = chosen.iter().map(|robot| estimate(robot, &with)).collect();
    let comparison = compare(&chosen, &with);
    Ok(axum::Json(json!({ "assumptions": with, "estimates": estimates, "comparison": comparison, "prices": "indicative" })).into_response())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Recommend {
    conversation_id: Option<Uuid>,
    monthly_budget: Option<f64>,
    top_k: Option<usize>,
    #[serde(default)]
    assumptions: Edits,
}

async fn recommendations(State(panel): State<Panel>, Extension(who): Who, body: Body) -> Answer {
    let wanted: Recommend = json_of(body)?;
    wanted.assumptions.check().map_err(Denied::invalid)?;
    if wanted
        .monthly_budget
        .is_some_and(|budget| !budget.is_finite() || budget < 0.0)
    {
        return Err(Denied::invalid((
            "monthly_budget",
            "must not be below zero".to_owned(),
        )));
    }
    let top = top(wanted.top_k, DEFAULT_TOP)?;
    let (profile, _) = panel.profile(&who, wanted.conversation_id).await?;
    let robots = panel.robots(&who).await?;
    let with = Assumptions::of(&profile, &wanted.assumptions);
    let found = recommend(&robots, &profile, &with, wanted.monthly_budget, top);
    Ok(axum::Json(json!(found)).into_response())
}

/// Everything that discovery may ask.
async fn questions() -> Response {
    let all: Vec<Value> = Key::ALL.into_iter().map(journey::question).collect();
    axum::Json(json!({ "items": all })).into_response()
}

async fn discovery(
    State(panel): State<Panel>,
    Extension(who): Who,
    Path(id): Path<String>,
) -> Answer {
    let id = Uuid::parse_str(&id).map_err(|_| Denied::not_found("Conversation not found"))?;
    let found = panel.conversation(&who, id).await?;
    Ok(axum::Json(journey::state(&found)).into_response())
}
