//! The routes of the page: the catalogue, the figures with other values, the progress of discovery. The same code as in
//! the conversation calculates every number.

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
use frontdesk_store::{Appliers, Store};
use uuid::Uuid;

use super::NAME;
use super::domain::catalogue::{Filter, Robot};
use super::domain::discovery::Discovery;
use super::domain::recommend::{DEFAULT_TOP, MOST_TOP};
use super::domain::roi::Inputs;
use super::journey::{self, DecisionView, Question};
use super::product_store::{AddError, ProductStore};
use answer::{Answer, Body, RouteError, json_of};
use frontdesk_bundle::route::{Content, OwnRoute, Route};
use frontdesk_bundle::{ListResponse, SetupContext};
use shapes::{
    Product, ProductCreate, ProductFound, ProductList, ProductSearch, ProductsFound,
    RecommendationRequest, RobotsRecommended, RoiCalculated, RoiRequest, discovery_questions,
};

#[derive(Clone)]
struct Panel {
    products: Arc<ProductStore>,
    conversations: Store,
    env: Arc<dyn Env>,
}

const SUBJECT: &str = "cleaning robots";
const SKU: &str = "The sku of the product, like pudu-cc1.";

/// The described routes, without handlers.
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
            .named("remove_product", SUBJECT, "Remove a product")
            .about("For operators. Built-in products cannot be removed.")
            .path_name("sku", SKU)
            .gives_content(204, "Removed", Content::Nothing)
            .refuses(&[403, 409]),
        route(Method::POST, "/roi/calculate")
            .named("calculate_roi", SUBJECT, "What robots save or cost")
            .about("From the facts of a conversation and the values that are given instead. Nothing is stored. With too few facts, `missing` names them and there are no estimates.")
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
            .gives::<ListResponse<Question>>(200, "The questions"),
        route(Method::GET, "/discovery/{conversation}")
            .named("get_discovery", SUBJECT, "Progress of discovery")
            .gives::<DecisionView>(200, "The facts and the next questions")
            .refuses(&[403]),
    ]
}

pub(super) fn routes(products: &Arc<ProductStore>, ctx: &SetupContext) -> Vec<OwnRoute> {
    let panel = Panel {
        products: Arc::clone(products),
        conversations: Store::new(ctx.db.clone(), Appliers::default()),
        env: Arc::clone(&ctx.env),
    };
    let handlers = [
        get(list_products),
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
    async fn robots(&self, who: &Principal) -> Result<Vec<Robot>, RouteError> {
        Ok(self.products.robots(who).await?)
    }

    /// A conversation with this assistant that the person may read.
    async fn conversation(&self, who: &Principal, id: Uuid) -> Result<Conversation, RouteError> {
        let found = self
            .conversations
            .get(who, ConversationId::from_uuid(id))
            .await?;
        if found.assistant != NAME {
            return Err(RouteError::not_found("Conversation not found"));
        }
        Ok(found)
    }

    /// The facts of a conversation, or none.
    async fn discovery(
        &self,
        who: &Principal,
        conversation: Option<Uuid>,
    ) -> Result<(Discovery, Option<Conversation>), RouteError> {
        match conversation {
            None => Ok((Discovery::default(), None)),
            Some(id) => {
                let found = self.conversation(who, id).await?;
                Ok((journey::discovery(&found), Some(found)))
            }
        }
    }
}

fn operator(who: &Principal) -> Result<(), RouteError> {
    if who.holds_any(&[Role::OPERATOR]) {
        return Ok(());
    }
    let role = Role::OPERATOR.as_str();
    Err(RouteError::forbidden(format!("This needs the role {role}")))
}

async fn list_products(State(panel): State<Panel>, Extension(who): Who) -> Answer {
    let robots = panel.robots(&who).await?.into_iter();
    let items = robots.map(|robot| shown(&panel, robot)).collect();
    Ok(Json(ProductList::new(items)).into_response())
}

fn shown(panel: &Panel, robot: Robot) -> Product {
    Product {
        built_in: panel.products.is_built_in(&robot.sku),
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
        .ok_or_else(|| RouteError::not_found("Product not found"))?;
    Ok(Json(shown(&panel, found)).into_response())
}

async fn add_product(State(panel): State<Panel>, Extension(who): Who, body: Body) -> Answer {
    operator(&who)?;
    let ProductCreate(robot) = json_of(body)?;
    robot.check().map_err(RouteError::invalid)?;
    match panel.products.add(&who, robot, panel.env.now()).await {
        Ok(added) => Ok((StatusCode::CREATED, Json(shown(&panel, added))).into_response()),
        Err(AddError::Exists) => Err(RouteError::conflict(
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
    if panel.products.is_built_in(&sku) {
        return Err(RouteError::conflict(
            "This product comes with the catalogue and cannot be removed",
        ));
    }
    if !panel.products.remove(&who, &sku).await? {
        return Err(RouteError::not_found("Product not found"));
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
    filter.check().map_err(RouteError::invalid)?;
    let top = top(wanted.top_k, 5)?;
    let count = panel.robots(&who).await?.len().clamp(1, 100);
    let found = panel.products.search(&who, &wanted.query, count).await?;
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

fn top(given: Option<usize>, default: usize) -> Result<usize, RouteError> {
    match given {
        None => Ok(default),
        Some(top) if (1..=MOST_TOP).contains(&top) => Ok(top),
        Some(_) => Err(RouteError::invalid((
            "top_k",
            format!("must be from 1 to {MOST_TOP}"),
        ))),
    }
}

async fn calculate(State(panel): State<Panel>, Extension(who): Who, body: Body) -> Answer {
    let wanted: RoiRequest = json_of(body)?;
    wanted.assumptions.check().map_err(RouteError::invalid)?;
    let (known, conversation) = panel.discovery(&who, wanted.conversation_id).await?;
    let robots = panel.robots(&who).await?;
    let inputs = Inputs::of(&known, &wanted.assumptions);
    let names = wanted.robots.unwrap_or_default();
    if names.len() > MOST_TOP {
        return Err(RouteError::invalid((
            "robots",
            format!("must be at most {MOST_TOP}"),
        )));
    }
    let named = names.iter().map(|name| ProductStore::named(&robots, name));
    let mut chosen = named
        .collect::<Result<Vec<&Robot>, _>>()
        .map_err(|(problem, _)| RouteError::invalid(("robots", problem)))?;
    if let (true, Some(conversation)) = (chosen.is_empty(), conversation) {
        chosen = journey::default_robots(&robots, &conversation, &inputs);
    }
    Ok(Json(RoiCalculated::new(&chosen, &inputs)).into_response())
}

async fn recommendations(State(panel): State<Panel>, Extension(who): Who, body: Body) -> Answer {
    let wanted: RecommendationRequest = json_of(body)?;
    wanted.assumptions.check().map_err(RouteError::invalid)?;
    if wanted
        .monthly_budget
        .is_some_and(|budget| !budget.is_finite() || budget < 0.0)
    {
        return Err(RouteError::invalid((
            "monthly_budget",
            "must not be below zero".to_owned(),
        )));
    }
    let top = top(wanted.top_k, DEFAULT_TOP)?;
    let (known, _) = panel.discovery(&who, wanted.conversation_id).await?;
    let robots = panel.robots(&who).await?;
    let inputs = Inputs::of(&known, &wanted.assumptions);
    let budget = wanted.monthly_budget.or(known.monthly_budget());
    Ok(Json(RobotsRecommended::new(&robots, inputs, budget, top)).into_response())
}

/// Everything that discovery may ask.
async fn questions() -> Response {
    Json(discovery_questions()).into_response()
}

async fn discovery(
    State(panel): State<Panel>,
    Extension(who): Who,
    Path(id): Path<String>,
) -> Answer {
    let id = Uuid::parse_str(&id).map_err(|_| RouteError::not_found("Conversation not found"))?;
    let found = panel.conversation(&who, id).await?;
    Ok(Json(journey::state(&found)).into_response())
}
