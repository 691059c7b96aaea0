//! Passes that wait for a decision, for their approvers: counted and listed by the same requests as
//! the board.

use std::cmp::Reverse;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use chrono_tz::Tz;
use frontdesk_connect::MOST_PAGES;
use frontdesk_connect::response::moment;
use frontdesk_core::access::{Principal, Role};
use futures_util::future::join3;
use serde_json::Value;

use super::package::Gate;
use super::routes::LARGEST_PAGE;
use frontdesk_bundle::BoxError;
use frontdesk_bundle::{DecidedItem, InboxSource, WaitingItem, WaitingWork};

const PATIENCE: Duration = Duration::from_secs(2);
/// The board shows the rest.
const SHOWN: &str = "20";
const SHOWN_ITEMS: usize = 20;
const BOARD: &str = "/gatepass";
const PENDING: &str = "list_pending_gate_passes";
const ALL: &str = "list_all_gate_passes_admin";

pub(super) struct PendingPasses {
    pub(super) gate: Arc<Gate>,
}

#[async_trait]
impl InboxSource for PendingPasses {
    async fn waiting(&self, who: &Principal) -> Result<Option<WaitingWork>, BoxError> {
        if !who.holds_any(&[Role::ADMIN_USER]) {
            return Ok(None);
        }
        let (pending, approved, rejected) = join3(
            self.passes(who, PENDING, None, MOST_PAGES),
            self.passes(who, ALL, Some("approved"), 1),
            self.passes(who, ALL, Some("rejected"), 1),
        )
        .await;
        let pending = pending?;
        let decided = [approved?, rejected?].concat();
        let mut decided: Vec<DecidedItem> = decided.iter().filter_map(decision).collect();
        decided.sort_by_key(|item| Reverse(item.at));
        Ok(Some(WaitingWork {
            about: "Passes to decide".to_owned(),
            count: pending.len() as u64,
            link: BOARD.to_owned(),
            items: pending.iter().take(SHOWN_ITEMS).filter_map(item).collect(),
            decided,
        }))
    }
}

impl PendingPasses {
    async fn passes(
        &self,
        who: &Principal,
        list: &str,
        status: Option<&str>,
        most_pages: usize,
    ) -> Result<Vec<Value>, BoxError> {
        let Some(list) = self.gate.tool(who, &[list]) else {
            return Ok(Vec::new());
        };
        let arguments = status.map(|status| ("status".to_owned(), status.into()));
        let arguments = arguments.into_iter().collect();
        let limit = [(
            "limit",
            if status.is_some() {
                SHOWN
            } else {
                LARGEST_PAGE
            },
        )];
        let found = list
            .read(who, &arguments, &limit, most_pages, PATIENCE)
            .await;
        Ok(found
            .map_err(|failed| failed.failure.to_string())?
            .into_items())
    }
}

fn item(pass: &Value) -> Option<WaitingItem> {
    let (title, link) = title_and_link(pass)?;
    Some(WaitingItem {
        title,
        link,
        count: 1,
    })
}

/// The newest change to the current state, with its author and time.
fn decision(pass: &Value) -> Option<DecidedItem> {
    let (title, link) = title_and_link(pass)?;
    let state = pass["status"].as_str()?;
    let history = pass["status_history"].as_array();
    let mut changes = history.into_iter().flatten().rev();
    let change = changes.find(|change| change["status"] == state);
    let (at, by) = match change {
        Some(change) => (&change["changed_at"], &change["changed_by"]),
        None => (&pass["approved_at"], &pass["approved_by"]),
    };
    Some(DecidedItem {
        title,
        link,
        state: state.to_owned(),
        by: by.as_str()?.to_owned(),
        at: moment(at, Tz::UTC)?,
    })
}

/// The title of the pass, and its address.
pub(super) fn title_and_link(pass: &Value) -> Option<(String, String)> {
    let number = pass["pass_number"].as_str()?;
    let person = pass["person_name"].as_str()?;
    Some((
        format!("{number} · {person}"),
        format!("{BOARD}?gid={number}"),
    ))
}
