//! Passes that wait for a decision, for their approvers: counted and listed by the same requests as
//! the board.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use frontdesk_core::access::{Principal, Role};
use futures_util::future::try_join;
use serde_json::Value;

use super::api::{ApiRequest, Errand, Retries};
use super::runner::Gate;
use frontdesk_bundle::BoxError;
use frontdesk_bundle::{InboxSource, WaitingItem, WaitingWork};

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
        let query = [("status", "pending"), ("limit", SHOWN)];
        let (counts, list) =
            try_join(self.ask(who, "counts", &[]), self.ask(who, "list", &query)).await?;
        let count = counts["pending"].as_u64();
        let items = list["items"].as_array();
        Ok(Some(WaitingWork {
            about: "Passes to decide".to_owned(),
            count: count.ok_or("the counts have no number of pending passes")?,
            link: BOARD.to_owned(),
            items: items.into_iter().flatten().filter_map(item).collect(),
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
    let number = pass["pass_number"].as_str()?;
    let person = pass["person_name"].as_str()?;
    Some(WaitingItem {
        title: format!("{number} · {person}"),
        link: format!("{BOARD}?gid={number}"),
        count: 1,
    })
}
