//! Passes for the search of the page: the same list, with the same rights, as the board's.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use frontdesk_bundle::{BoxError, FoundObject, ObjectSearch};
use frontdesk_core::access::{Principal, Role};
use frontdesk_core::store::SearchWords;
use serde_json::Value;

use super::routes::page_of_passes;
use super::runner::Gate;

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
        let areas = [
            (Role::ADMIN_USER, "admin"),
            (Role::HR_USER, "hr"),
            (Role::GATE_USER, "gate"),
        ];
        let Some((_, area)) = areas
            .iter()
            .find(|(role, _)| who.holds_any(std::slice::from_ref(role)))
        else {
            return Ok(Vec::new());
        };
        let limit_text = limit.to_string();
        let query = [("q", query), ("limit", limit_text.as_str())];
        let source = &self.gate.source;
        let segments = [*area, "gatepass", "list"];
        let answer = source.get_json(who, &segments, &query, PATIENCE);
        let body = match answer.await {
            // The design has no list for guards.
            Err(failed) if failed.is_not_found() => return Ok(Vec::new()),
            other => other.map_err(|failed| failed.failure.to_string())?,
        };
        let query = query.map(|(name, value)| (name.to_owned(), value.to_owned()));
        // An API that does not know the query has sent all passes.
        let list = page_of_passes(body, &query).map_err(|failure| failure.to_string())?;
        let items = list["items"].as_array().into_iter().flatten();
        Ok(items.filter_map(found).take(limit).collect())
    }
}

fn found(pass: &Value) -> Option<FoundObject> {
    let number = pass["pass_number"].as_str()?;
    let person = pass["person_name"].as_str()?;
    Some(FoundObject {
        title: format!("{number} · {person}"),
        detail: pass["description"].as_str().unwrap_or_default().to_owned(),
        link: format!("/gatepass?gid={number}"),
    })
}
