//! What the page shows beside the conversation: the catalogue, the figures with other assumptions, how far discovery is.
//! Every number on a panel is calculated here, by the same code as in the conversation.

mod answer;
mod shapes;

use std::sync::Arc;

use axum::Json;
use axum::extract::{Extension, Path, State};
use axum::http::{Method, StatusCode};
use axum::middleware;
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, delete, get, post};
use frontdesk_core::access::{Principal, Role};
use frontdesk_core::conversation::Conversation;
use frontdesk_core::env::Env;
use frontdesk_core::id::ConversationId;
use frontdesk_core::store::Conversations;
use frontdesk_store::{Appliers, Store};
use uuid::Uuid;

use super::NAME;
use super::domain::catalogue::{Filter, Robot};
use super::domain::discovery::Profile;
use super::domain::recommend::{DEFAULT_TOP, MOST_TOP, recommend};
use super::domain::roi::Assumptions;
use super::journey::{self, Seen};
use super::shelf::{AddError, Shelf};
use answer::{Answer, Body, Denied, json_of};
use frontdesk_bundle::SetupContext;
use frontdesk_bundle::route::{Content, OwnRoute, Route};
use shapes::{
    DiscoveryQuestions, Product, ProductCreate, ProductFound, ProductList, ProductSearch,
    ProductsFound, RecommendationRequest, RobotsRecommended, RoiCalculated, RoiRequest,
};

#[derive(Clone)]
struct Panel {
    shelf: Arc<Shelf>,
    conversations: Arc<dyn Conversations>,
    env: Arc<dyn Env>,
}

const SUBJECT: &str = "cleaning robots";
const SKU: &str = "The sku of the product, like pudu-cc1.";

/// The routes in words, before there is anything to answer them.
pub(crate) fn operations() -> Vec<Route> {
    let route = Route::described;
    vec![
        route(Method::GET, "/products")
            .named("list_products", SUBJECT, "The catalogue")
            .about("Prices are indicative.")
            .gives::<ProductList>(200, "All products"),
        route(Method::POST, "/products")
            .named("add_product", SUBJECT, "Add a product")
            .about("For operators.")
            .takes::<ProductCreate>()
            .gives::<Product>(201, "The product")
            .refuses(&[403, 409]),
        route(Method::POST, "/products/search")
            .named("search_products", SUBJECT, "Find products by meaning")
            .takes::<ProductSearch>()
            .gives::<ProductsFound>(200, "The nearest first"),
        route(Method::GET, "/products/{sku}")
            .named("get_product", SUBJECT, "One product")
            .path_name("sku", SKU)
            .gives::<Product>(200, "The product"),
        route(Method::DELETE, "/products/{sku}")
            .named("remove_product", SUBJECT, "Take a product out")
            .about("For operators, and only what one of them added.")
            .path_name("sku", SKU)
            .gives_content(204, "It is gone", Content::Nothing)
            .refuses(&[403, 409]),
        route(Method::POST, "/roi/calculate")
            .named("calculate_roi", SUBJECT, "What robots save or cost")
            .about("With the facts of a conversation, and with other assumptions where they are given. Nothing is kept.")
            .takes::<RoiRequest>()
            .gives::<RoiCalculated>(200, "The figures")
            .refuses(&[403, 404]),
        route(Method::POST, "/roi/recommendations")
            .named("recommend_robots", SUBJECT, "Which robots fit")
            .takes::<RecommendationRequest>()
            .gives::<RobotsRecommended>(200, "The best first, with reasons")
            .refuses(&[403, 404]),
        route(Method::GET, "/discovery/questions")
            .named("list_discovery_questions", SUBJECT, "Everything that discovery may ask")
            .gives::<DiscoveryQuestions>(200, "The questions"),
        route(Method::GET, "/discovery/{conversation}")
            .named("get_discovery", SUBJECT, "How far discovery is")
            .gives::<Seen>(200, "What was said, and what is asked next")
            .refuses(&[403]),
    ]
}

pub(super) fn routes(shelf: &Arc<Shelf>, ctx: &SetupContext) -> Vec<OwnRoute> {
    let panel = Panel {
        shelf: Arc::clone(shelf),
        conversations: Arc::new(Store::new(ctx.db.clone(), Appliers::default())),
        env: Arc::clone(&ctx.env),
    };
    let handlers = [
        get(products),
        post(add_product),
        post(search_products),
        get(product),
        delete(remove_product),
        post(calculate),
        post(recommendations),
        get(questions),
        get(discovery),
    ];
    let answering = |(route, handler): (Route, MethodRouter<Panel>)| {
        let handler = handler.with_state(panel.clone());
        route.answered_by(handler.layer(middleware::map_response(answer::inert)))
    };
    operations()
        .into_iter()
        .zip(handlers)
        .map(answering)
        .collect()
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
    let robots = panel.robots(&who).await?.into_iter();
    let items = robots.map(|robot| shown(&panel, robot)).collect();
    Ok(Json(ProductList::new(items)).into_response())
}

fn shown(panel: &Panel, robot: Robot) -> Product {
    Product {
        built_in: panel.shelf.is_built_in(&robot.sku),
        robot,
    }
}

async fn product(
    State(panel): State<Panel>,
    Extension(who): Who,
    Path(sku): Path<String>,
) -> Answer {
    let robots = panel.robots(&who).await?;
    let found = robots
        .into_iter()
        .find(|robot| robot.sku == sku)
        .ok_or_else(|| Denied::not_found("Product not found"))?;
    Ok(Json(shown(&panel, found)).into_response())
}

async fn add_product(State(panel): State<Panel>, Extension(who): Who, body: Body) -> Answer {
    operator(&who)?;
    let ProductCreate(robot) = json_of(body)?;
    robot.check().map_err(Denied::invalid)?;
    match panel.shelf.add(&who, robot, panel.env.now()).await {
        Ok(added) => Ok((StatusCode::CREATED, Json(shown(&panel, added))).into_response()),
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
    let items = found
        .into_iter()
        .filter(|(robot, _)| filter.admits(robot))
        .take(top)
        .map(|(robot, score)| ProductFound {
            product: shown(&panel, robot),
            score,
        })
        .collect();
    Ok(Json(ProductsFound::new(items)).into_response())
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

async fn calculate(State(panel): State<Panel>, Extension(who): Who, body: Body) -> Answer {
    let wanted: RoiRequest = json_of(body)?;
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
    Ok(Json(RoiCalculated::new(&chosen, with)).into_response())
}

async fn recommendations(State(panel): State<Panel>, Extension(who): Who, body: Body) -> Answer {
    let wanted: RecommendationRequest = json_of(body)?;
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
    Ok(Json(RobotsRecommended(found)).into_response())
}

/// Everything that discovery may ask.
async fn questions() -> Response {
    Json(DiscoveryQuestions::all()).into_response()
}

async fn discovery(
    State(panel): State<Panel>,
    Extension(who): Who,
    Path(id): Path<String>,
) -> Answer {
    let id = Uuid::parse_str(&id).map_err(|_| Denied::not_found("Conversation not found"))?;
    let found = panel.conversation(&who, id).await?;
    Ok(Json(journey::state(&found)).into_response())
}
