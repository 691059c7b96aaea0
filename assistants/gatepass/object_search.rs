//! Passes for the search of the page: the same list, with the same rights, as the board's.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use frontdesk_bundle::{BoxError, FoundObject, ObjectSearch};
use frontdesk_core::access::Principal;
use frontdesk_core::store::SearchWords;
use serde_json::{Map, Value};

use super::inbox::title_and_link;
use super::package::Gate;
use super::routes::LISTS;

const PATIENCE: Duration = Duration::from_secs(2);

pub(super) struct PassSearch {
    pub(super) gate: Arc<Gate>,
}

#[async_trait]
impl ObjectSearch for PassSearch {
    async fn find(
        &self,
        who: &Principal,
        query: &str,
        _: &SearchWords,
        limit: usize,
    ) -> Result<Vec<FoundObject>, BoxError> {
        let Some(list) = self.gate.tool(who, LISTS) else {
            return Ok(Vec::new());
        };
        // An API that does not know the query sends all passes; `search` filters them.
        let search = Map::from_iter([("search".to_owned(), query.into())]);
        let limit_text = limit.to_string();
        let query = [("q", query), ("limit", limit_text.as_str())];
        let found = list.read(who, &search, &query, 1, PATIENCE).await;
        let found = found.map_err(|failed| failed.failure.to_string())?;
        let passes = found.into_items();
        Ok(passes.iter().filter_map(object).take(limit).collect())
    }
}

fn object(pass: &Value) -> Option<FoundObject> {
    let (title, link) = title_and_link(pass)?;
    Some(FoundObject {
        title,
        detail: pass["description"].as_str().unwrap_or_default().to_owned(),
        link,
    })
}
