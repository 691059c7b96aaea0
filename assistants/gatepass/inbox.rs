//! Passes that wait for a decision, for their approvers: counted and listed by the same requests as
//! the board.

use std::cmp::Reverse;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use chrono_tz::Tz;
use frontdesk_connect::response::moment;
use frontdesk_connect::{CallResult, ResponseRules};
use frontdesk_core::access::{Principal, Role};
use futures_util::future::join4;
use serde_json::Value;

use super::replies::Reply;
use super::runner::Gate;
use frontdesk_bundle::BoxError;
use frontdesk_bundle::{DecidedItem, InboxSource, WaitingItem, WaitingWork};

const PATIENCE: Duration = Duration::from_secs(2);
/// The board shows the rest.
const SHOWN: &str = "20";
const SHOWN_ITEMS: usize = 20;
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
        let [approved, rejected] =
            ["approved", "rejected"].map(|status| [("status", status), ("limit", SHOWN)]);
        let (count, pending, approved, rejected) = join4(
            self.ask(who, "counts", &[]),
            self.ask(who, "pending", &[]),
            self.ask(who, "list", &approved),
            self.ask(who, "list", &rejected),
        )
        .await;
        let pending = passes(&pending?);
        // Not every system counts; the length of the list is the next best figure.
        let count = count.ok().and_then(|counts| counts["pending"].as_u64());
        let decided = [passes(&approved?), passes(&rejected?)].concat();
        let mut decided: Vec<DecidedItem> = decided.iter().filter_map(decision).collect();
        decided.sort_by_key(|item| Reverse(item.at));
        Ok(Some(WaitingWork {
            about: "Passes to decide".to_owned(),
            count: count.unwrap_or(pending.len() as u64),
            link: BOARD.to_owned(),
            items: pending.iter().take(SHOWN_ITEMS).filter_map(item).collect(),
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
        let segments = ["admin", "gatepass", what];
        let answer = self.gate.source.get_json(who, &segments, query, PATIENCE);
        Ok(answer.await.map_err(|failed| failed.failure.to_string())?)
    }
}

/// The passes of a list.
fn passes(list: &Value) -> Vec<Value> {
    let rules = ResponseRules {
        rest: true,
        ..Reply::Passes.rules()
    };
    let read = rules.read(list.clone(), Tz::UTC);
    read.map(CallResult::into_items).unwrap_or_default()
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
        at: moment(at)?,
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
