//! Searches robots by meaning and by filter.

use std::sync::Arc;

use frontdesk_core::tool::{
    CardField, CardValue, ObjectCard, Tool, ToolContext, ToolError, ToolSpec,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{invalid, robots};
use crate::domain::catalogue::{Filter, Mode, Robot, Surface};
use crate::domain::money::dollars;
use crate::product_store::ProductStore;

pub(super) struct SearchProducts(pub(super) Arc<ProductStore>);

const DEFAULT_TOP: u8 = 5;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// The query in the person's words; leave out to list by filter alone.
    #[serde(default)]
    #[schemars(length(max = 500))]
    query: Option<String>,
    /// Only robots for this kind of floor.
    #[serde(default)]
    surface: Option<Surface>,
    /// Only robots that can clean in this way.
    #[serde(default)]
    mode: Option<Mode>,
    /// Only robots that fit through a passage of this many centimetres.
    #[serde(default)]
    #[schemars(range(min = 1.0, max = 1000.0))]
    aisle_width_cm: Option<f64>,
    /// Only robots whose lease costs at most this many US dollars a month.
    #[serde(default)]
    #[schemars(range(min = 0.0))]
    max_monthly_lease: Option<f64>,
    /// The cheapest lease first, of all robots that fit the filters. The query then counts for nothing.
    #[serde(default)]
    cheapest_first: Option<bool>,
    /// How many at most.
    #[serde(default)]
    #[schemars(range(min = 1, max = 50))]
    top_k: Option<u8>,
}

#[derive(Serialize)]
pub(super) struct Products {
    products: Vec<Robot>,
    prices: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

impl Tool for SearchProducts {
    const NAME: &'static str = "search_products";
    type Args = Args;
    type Output = Products;

    fn spec() -> ToolSpec {
        ToolSpec::read("Search the catalogue of cleaning robots by meaning and by filter. Only what it returns may be recommended.")
            .title("Search robots")
            .example("find robots for carpet", json!({ "surface": "carpet" }))
            .example("which robots can mop?", json!({ "mode": "mop" }))
            .example("show robots that lease for at most 1000 a month", json!({ "max_monthly_lease": 1000.0 }))
            .example("which robot is the cheapest?", json!({ "cheapest_first": true }))
            .example("list the robots by price", json!({ "cheapest_first": true }))
    }

    async fn call(&self, ctx: &ToolContext, args: Args) -> Result<Products, ToolError> {
        let filter = Filter {
            surface: args.surface,
            mode: args.mode,
            aisle_width_cm: args.aisle_width_cm,
            max_monthly_lease: args.max_monthly_lease,
            category: None,
        };
        filter.check().map_err(invalid)?;
        let top = usize::from(args.top_k.unwrap_or(DEFAULT_TOP));
        let by_lease = args.cheapest_first == Some(true);
        let query = args
            .query
            .map(|query| query.trim().to_owned())
            .filter(|query| !query.is_empty() && !by_lease);
        let robots = robots(&self.0, ctx).await?;
        let (mut found, mut note) = match &query {
            None => (robots.clone(), None),
            Some(query) => match self
                .0
                .search(ctx.principal(), query, robots.len().max(1))
                .await
            {
                Ok(found) => (found.into_iter().map(|(robot, _)| robot).collect(), None),
                Err(error) => {
                    tracing::warn!(error.message = %error, "products are listed without retrieval");
                    (robots.clone(), Some("The search by meaning does not work just now; these are all robots that fit the filter.".to_owned()))
                }
            },
        };
        found.retain(|robot| filter.admits(robot));
        if found.is_empty() {
            note = Some(nothing(&robots, &filter));
        }
        if by_lease {
            found.sort_by(|a, b| a.monthly_lease.total_cmp(&b.monthly_lease));
        }
        found.truncate(top);
        for robot in &found {
            ctx.show(robot_card(robot));
        }
        Ok(Products {
            products: found,
            prices: "indicative",
            note,
        })
    }

    fn summary(found: &Products) -> String {
        let row = |robot: &Robot| {
            format!(
                "| {} | {} | {} | {} | {} | {} |",
                robot.name,
                robot.category,
                robot.modes_in_words(),
                robot.surfaces_in_words(),
                dollars(robot.monthly_lease),
                dollars(robot.purchase_price)
            )
        };
        let mut parts: Vec<String> = found.note.iter().cloned().collect();
        if !found.products.is_empty() {
            let rows: Vec<String> = found.products.iter().map(row).collect();
            parts.push(format!(
                "| Robot | Kind | Cleans | Floors | Lease/month | Price |\n|---|---|---|---|---:|---:|\n{}",
                rows.join("\n")
            ));
            parts.push("Prices are indicative.".to_owned());
        }
        parts.join("\n\n")
    }
}

fn robot_card(robot: &Robot) -> ObjectCard {
    let text = |name, label, value: String| CardField::new(name, label, CardValue::Text(value));
    let dollars = |name, label, amount| {
        let currency = "USD".to_owned();
        CardField::new(name, label, CardValue::Money { amount, currency })
    };
    ObjectCard {
        kind: "robot".to_owned(),
        id: robot.sku.clone(),
        title: robot.name.clone(),
        status: None,
        fields: vec![
            text("category", "Kind", robot.category.clone()),
            text("modes", "Cleans", robot.modes_in_words()),
            text("surfaces", "Floors", robot.surfaces_in_words()),
            dollars("monthly_lease", "Lease a month", robot.monthly_lease),
            dollars("purchase_price", "Price", robot.purchase_price),
        ],
        path: None,
        actions: Vec::new(),
    }
}

/// Why no robot fits.
fn nothing(robots: &[Robot], filter: &Filter) -> String {
    let cheapest = robots
        .iter()
        .min_by(|a, b| a.monthly_lease.total_cmp(&b.monthly_lease));
    match (filter.max_monthly_lease, cheapest) {
        (Some(most), Some(cheapest)) if cheapest.monthly_lease > most => format!(
            "No robot leases for {} a month or less; the cheapest is the {} at {} (indicative).",
            dollars(most),
            cheapest.name,
            dollars(cheapest.monthly_lease)
        ),
        (Some(_) | None, _) => {
            "No robot of the catalogue fits all of that; leave something out.".to_owned()
        }
    }
}
