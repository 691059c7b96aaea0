//! Bodies of requests and answers. The examples of the reference are calculated like any other answer.

use frontdesk_bundle::ListResponse;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use uuid::Uuid;

use crate::domain::catalogue::{Mode, Robot, Surface, built_in};
use crate::domain::discovery::Discovery;
use crate::domain::keys::Key;
use crate::domain::recommend::{Recommendations, recommend};
use crate::domain::roi::{Edits, Estimate, Inputs, Missing, estimate};
use crate::domain::shortlist::{ComparisonRow, compare};
use crate::journey::{self, Question};

/// Prices are not offers.
const INDICATIVE: &str = "indicative";

/// A robot of the catalogue.
#[derive(Serialize, JsonSchema)]
#[schemars(example = products().next())]
pub(super) struct Product {
    #[serde(flatten)]
    pub(super) robot: Robot,
    /// A built-in product cannot be removed.
    pub(super) built_in: bool,
}

#[derive(Deserialize, JsonSchema)]
#[serde(transparent)]
#[schemars(example = robots().first())]
pub(super) struct ProductCreate(pub(super) Robot);

#[derive(Serialize, JsonSchema)]
#[schemars(example = ProductList::new(products().take(1).collect()))]
pub(super) struct ProductList {
    #[serde(flatten)]
    list: ListResponse<Product>,
    /// Prices are indicative.
    prices: &'static str,
}

impl ProductList {
    pub(super) fn new(items: Vec<Product>) -> Self {
        Self {
            list: ListResponse::complete(items),
            prices: INDICATIVE,
        }
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(example = json!({ "query": "a small robot for a restaurant", "mode": "mop", "aisle_width_cm": 60 }))]
pub(super) struct ProductSearch {
    pub(super) query: String,
    pub(super) category: Option<String>,
    pub(super) surface: Option<Surface>,
    pub(super) mode: Option<Mode>,
    pub(super) aisle_width_cm: Option<f64>,
    pub(super) max_monthly_lease: Option<f64>,
    pub(super) top_k: Option<usize>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(example = ProductsFound::new(products().take(1).map(ProductFound::nearest).collect()))]
pub(super) struct ProductsFound {
    #[serde(flatten)]
    list: ListResponse<ProductFound>,
    /// Prices are indicative.
    prices: &'static str,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct ProductFound {
    #[serde(flatten)]
    pub(super) product: Product,
    /// Similarity to the query.
    pub(super) score: f64,
}

impl ProductFound {
    fn nearest(product: Product) -> Self {
        Self {
            product,
            score: 1.0,
        }
    }
}

impl ProductsFound {
    pub(super) fn new(items: Vec<ProductFound>) -> Self {
        Self {
            list: ListResponse::complete(items),
            prices: INDICATIVE,
        }
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(example = json!({ "robots": ["Pudu CC1"], "assumptions": { "labor_rate": 28 } }))]
pub(super) struct RoiRequest {
    pub(super) conversation_id: Option<Uuid>,
    /// By sku or by name; those of the last calculation, or of the shortlist, unless given.
    pub(super) robots: Option<Vec<String>>,
    #[serde(default)]
    pub(super) assumptions: Edits,
}

#[derive(Serialize, JsonSchema)]
#[schemars(example = calculated())]
pub(super) struct RoiCalculated {
    /// Empty while facts are missing.
    estimates: Vec<Estimate>,
    /// The facts without which there is no figure.
    missing: Vec<Key>,
    comparison: Vec<ComparisonRow>,
    /// Prices are indicative.
    prices: &'static str,
}

impl RoiCalculated {
    pub(super) fn new(robots: &[&Robot], inputs: &Result<Inputs, Missing>) -> Self {
        let (estimates, missing) = match inputs {
            Ok(inputs) => {
                let found = robots.iter().map(|robot| estimate(robot, inputs));
                (found.collect(), Vec::new())
            }
            Err(missing) => (Vec::new(), missing.0.clone()),
        };
        Self {
            estimates,
            missing,
            comparison: compare(robots, inputs),
            prices: INDICATIVE,
        }
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(example = json!({ "monthly_budget": 1500, "top_k": 3 }))]
pub(super) struct RecommendationRequest {
    pub(super) conversation_id: Option<Uuid>,
    pub(super) monthly_budget: Option<f64>,
    pub(super) top_k: Option<usize>,
    #[serde(default)]
    pub(super) assumptions: Edits,
}

#[derive(Serialize, JsonSchema)]
#[schemars(example = recommended())]
pub(super) struct RobotsRecommended {
    #[serde(flatten)]
    found: Recommendations,
    /// The facts without which no robot can be recommended.
    missing: Vec<Key>,
}

impl RobotsRecommended {
    pub(super) fn new(
        robots: &[Robot],
        inputs: Result<Inputs, Missing>,
        budget: Option<f64>,
        top: usize,
    ) -> Self {
        match inputs {
            Ok(inputs) => Self {
                found: recommend(robots, &inputs, budget, top),
                missing: Vec::new(),
            },
            Err(missing) => Self {
                found: Recommendations::default(),
                missing: missing.0,
            },
        }
    }
}

pub(super) fn discovery_questions() -> ListResponse<Question> {
    ListResponse::complete(Key::ALL.into_iter().map(journey::question).collect())
}

/// The robots of the examples.
fn robots() -> Vec<Robot> {
    built_in().unwrap_or_default()
}

fn products() -> impl Iterator<Item = Product> {
    robots().into_iter().map(|robot| Product {
        robot,
        built_in: true,
    })
}

/// The facts of a sports club with six courts.
fn example_inputs() -> Result<Inputs, Missing> {
    Inputs::of(&Discovery::example(), &Edits::default())
}

fn calculated() -> RoiCalculated {
    let robots = robots();
    let first: Vec<&Robot> = robots.iter().take(1).collect();
    RoiCalculated::new(&first, &example_inputs())
}

fn recommended() -> RobotsRecommended {
    RobotsRecommended::new(&robots(), example_inputs(), None, 1)
}
