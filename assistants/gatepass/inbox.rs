//! Passes that wait for a decision, for their approvers: counted and listed by the same requests as
//! the board.

use std::cmp::Reverse;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use frontdesk_core::access::{Principal, Role};
use futures_util::future::try_join4;
use serde_json::Value;

use super::api::{ApiRequest, Errand, Retries};
use super::runner::Gate;
use frontdesk_bundle::BoxError;
use frontdesk_bundle::{DecidedItem, InboxSource, WaitingItem, WaitingWork};

const PATIENCE: Duration = Duration::from_secs(2);
/// The board shows the rest.
const SHOWN: &str = "20";
const BOARD: &str = "/gatepass";

pub(super) struct PendingPasses {
    pub(super) gate: Arc<Gate>,
}

#[async_trait]
impl InboxSource for PendingPasses {
    async fn waiting(&self, who: &Principal) -> Result<Option<WaitingWork>, BoxError> {
        if !who.holds_any(&[Role::ADMIN_USER]) {
            return Ok(None);
        }
        let [pending, approved, rejected] = ["pending", "approved", "rejected"]
            .map(|status| [("status", status), ("limit", SHOWN)]);
        let (counts, list, approved, rejected) = try_join4(
            self.ask(who, "counts", &[]),
            self.ask(who, "list", &pending),
            self.ask(who, "list", &approved),
            self.ask(who, "list", &rejected),
        )
        .await?;
        let count = counts["pending"].as_u64();
        let items = list["items"].as_array();
        let decided = [approved, rejected].into_iter();
        let decided = decided.filter_map(|list| list["items"].as_array().cloned());
        let mut decided: Vec<DecidedItem> = decided
            .flatten()
            .filter_map(|pass| decision(&pass))
            .collect();
        decided.sort_by_key(|item| Reverse(item.at));
        Ok(Some(WaitingWork {
            about: "Passes to decide".to_owned(),
            count: count.ok_or("the counts have no number of pending passes")?,
            link: BOARD.to_owned(),
            items: items.into_iter().flatten().filter_map(item).collect(),
            decided,
        }))
    }
}

impl PendingPasses {
    async fn ask(
        &self,
        who: &Principal,
        what: &str,
        query: &[(&str, &str)],
    ) -> Result<Value, BoxError> {
        let quietly = |_: String| {};
        let errand = Errand {
            retries: Retries::Never,
            ..self.gate.client.errand(who, PATIENCE, &quietly)
        };
        let segments = ["admin", "gatepass", what];
        let pair = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        let request = ApiRequest {
            query: query.iter().map(pair).collect(),
            ..ApiRequest::get(segments.map(str::to_owned).to_vec())
        };
        let response = self.gate.client.send(&request, &errand).await;
        let response = response.map_err(|failed| failed.failure.to_string())?;
        Ok(response.json().map_err(|failure| failure.to_string())?)
    }
}

fn item(pass: &Value) -> Option<WaitingItem> {
    let (title, link) = named(pass)?;
    Some(WaitingItem {
        title,
        link,
        count: 1,
    })
}

/// The newest change to the current state, with its author and time.
fn decision(pass: &Value) -> Option<DecidedItem> {
    let (title, link) = named(pass)?;
    let state = pass["status"].as_str()?;
    let mut changes = pass["status_history"].as_array()?.iter().rev();
    let change = changes.find(|change| change["status"] == state)?;
    let at = DateTime::parse_from_rfc3339(change["changed_at"].as_str()?).ok()?;
    Some(DecidedItem {
        title,
        link,
        state: state.to_owned(),
        by: change["changed_by"].as_str()?.to_owned(),
        at: at.with_timezone(&Utc),
    })
}

/// The title of the pass, and its address.
fn named(pass: &Value) -> Option<(String, String)> {
    let number = pass["pass_number"].as_str()?;
    let person = pass["person_name"].as_str()?;
    Some((
        format!("{number} · {person}"),
        format!("{BOARD}?gid={number}"),
    ))
}
