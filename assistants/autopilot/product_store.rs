//! Stores the catalogue, built-in robots and those that an operator added, and searches it by meaning.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use frontdesk_core::access::Principal;
use frontdesk_core::search::{Query, Scopes, Search, SearchError};
use frontdesk_db::{Claims, Db, DbError, Migration, MigrationSet};
use tokio::sync::Mutex;
use uuid::Uuid;

use super::domain::catalogue::{self, Robot};

/// The collection of the product pages in the search index.
pub(super) const COLLECTION: &str = "autopilot-products";
/// The most products that are read.
const MOST: i64 = 1_000;

pub(super) const MIGRATIONS: MigrationSet = MigrationSet {
    owner: "autopilot",
    hooks: None,
    steps: &[Migration {
        version: 1,
        name: "products",
        sqlite: "CREATE TABLE autopilot_products (sku TEXT PRIMARY KEY, robot TEXT NOT NULL, added_by TEXT NOT NULL, at INTEGER NOT NULL)",
        // Everyone reads the catalogue. The routes check that only an operator writes.
        postgres: "CREATE TABLE autopilot_products (sku text PRIMARY KEY, robot text NOT NULL, added_by uuid NOT NULL, at timestamptz NOT NULL);
                   ALTER TABLE autopilot_products ENABLE ROW LEVEL SECURITY;
                   ALTER TABLE autopilot_products FORCE ROW LEVEL SECURITY;
                   CREATE POLICY autopilot_products_select ON autopilot_products FOR SELECT USING (true);
                   CREATE POLICY autopilot_products_insert ON autopilot_products FOR INSERT WITH CHECK (added_by = (SELECT fd.profile()));
                   CREATE POLICY autopilot_products_update ON autopilot_products FOR UPDATE USING (false) WITH CHECK (false);
                   CREATE POLICY autopilot_products_delete ON autopilot_products FOR DELETE USING (true);
                   SELECT fd.grant_to_app('SELECT, INSERT, DELETE', 'autopilot_products');",
    }],
};

pub(super) struct ProductStore {
    db: Db,
    search: Arc<dyn Search>,
    built_in: Vec<Robot>,
    /// The pages that were indexed last.
    indexed: Mutex<Vec<(String, String)>>,
}

/// Why a product could not be added.
#[derive(Debug, thiserror::Error)]
pub(super) enum AddError {
    #[error("there is a product with this sku or name already")]
    Exists,
    #[error(transparent)]
    Db(#[from] DbError),
}

impl ProductStore {
    pub(super) fn new(db: Db, search: Arc<dyn Search>, built_in: Vec<Robot>) -> Self {
        Self {
            db,
            search,
            built_in,
            indexed: Mutex::new(Vec::new()),
        }
    }

    /// Every robot that may be recommended.
    pub(super) async fn robots(&self, who: &Principal) -> Result<Vec<Robot>, DbError> {
        let rows = self
            .db
            .read(&Claims::subject(who.subject()), move |tx| {
                Box::pin(async move {
                    let rows = tx
                        .rows(
                            "SELECT robot FROM autopilot_products ORDER BY at, sku LIMIT $1",
                            &[MOST.into()],
                        )
                        .await?;
                    rows.iter()
                        .map(|row| row.get::<String>("robot"))
                        .collect::<Result<Vec<_>, DbError>>()
                })
            })
            .await?;
        let mut robots = self.built_in.clone();
        for row in rows {
            match serde_json::from_str(&row) {
                Ok(robot) => robots.push(robot),
                Err(error) => tracing::warn!("a product cannot be read and is left out: {error}"),
            }
        }
        Ok(robots)
    }

    /// Whether it comes with the product and cannot be removed.
    pub(super) fn is_built_in(&self, sku: &str) -> bool {
        self.built_in.iter().any(|robot| robot.sku == sku)
    }

    pub(super) async fn add(
        &self,
        who: &Principal,
        robot: Robot,
        at: DateTime<Utc>,
    ) -> Result<Robot, AddError> {
        let robots = self.robots(who).await?;
        let same =
            |known: &Robot| known.sku == robot.sku || known.name.eq_ignore_ascii_case(&robot.name);
        if robots.iter().any(same) || i64::try_from(robots.len()).unwrap_or(MOST) >= MOST {
            return Err(AddError::Exists);
        }
        let (sku, by) = (robot.sku.clone(), who.profile().uuid());
        let text = serde_json::to_string(&robot).unwrap_or_default();
        let added = self
            .db
            .write(&Claims::subject(who.subject()), move |tx| {
                Box::pin(insert(tx, sku, text, by, at))
            })
            .await?;
        if added == 0 {
            Err(AddError::Exists)
        } else {
            Ok(robot)
        }
    }

    /// Returns whether it existed.
    pub(super) async fn remove(&self, who: &Principal, sku: &str) -> Result<bool, DbError> {
        let sku = sku.to_owned();
        let removed = self
            .db
            .write(&Claims::subject(who.subject()), move |tx| {
                Box::pin(async move {
                    tx.execute(
                        "DELETE FROM autopilot_products WHERE sku = $1",
                        &[sku.into()],
                    )
                    .await
                })
            })
            .await?;
        Ok(removed > 0)
    }

    /// Robots by meaning and by words, best first, each with its similarity.
    pub(super) async fn search(
        &self,
        who: &Principal,
        text: &str,
        top: usize,
    ) -> Result<Vec<(Robot, f64)>, SearchError> {
        let robots = self
            .robots(who)
            .await
            .map_err(|error| SearchError::Index(error.to_string()))?;
        self.reindex(&robots).await?;
        let query = Query {
            top_k: top,
            ..Query::new(text, COLLECTION, Scopes::everyone())
        };
        let result = self.search.search(&query).await?;
        let mut found: Vec<(Robot, f64)> = Vec::new();
        for chunk in result.chunks {
            let robot = robots
                .iter()
                .find(|robot| chunk.title.as_deref() == Some(robot.name.as_str()));
            if let Some(robot) = robot
                && !found.iter().any(|(known, _)| known.sku == robot.sku)
            {
                found.push((robot.clone(), chunk.similarity_score));
            }
        }
        Ok(found)
    }

    /// Indexes the catalogue again if it changed, also on another node.
    async fn reindex(&self, robots: &[Robot]) -> Result<(), SearchError> {
        let pages: Vec<(String, String)> = robots
            .iter()
            .map(|robot| (path(robot), robot.page()))
            .collect();
        let mut indexed = self.indexed.lock().await;
        if *indexed != pages {
            self.search.replace(COLLECTION, pages.clone()).await?;
            *indexed = pages;
        }
        Ok(())
    }

    /// The robot of this name, or a sentence and similar names.
    pub(super) fn named<'r>(
        robots: &'r [Robot],
        name: &str,
    ) -> Result<&'r Robot, (String, Vec<String>)> {
        catalogue::named(robots, name).map_err(|near| {
            let shown: String = name.chars().take(80).collect();
            (format!("\"{shown}\" is not in the catalogue"), near)
        })
    }
}

async fn insert(
    tx: &mut frontdesk_db::Tx,
    sku: String,
    text: String,
    by: Uuid,
    at: DateTime<Utc>,
) -> Result<u64, DbError> {
    tx.execute(
        "INSERT INTO autopilot_products (sku, robot, added_by, at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING",
        &[sku.into(), text.into(), by.into(), at.into()],
    )
    .await
}

fn path(robot: &Robot) -> String {
    format!("{}.md", robot.sku)
}
