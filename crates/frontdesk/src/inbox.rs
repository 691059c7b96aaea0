//! Everything that waits for a person: approval cards, and work reported by assistants.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use chrono::TimeDelta;
use frontdesk_bundle::{BoxError, InboxSource, WaitingItem, WaitingWork};
use frontdesk_core::access::Principal;
use frontdesk_core::env::Env;
use frontdesk_core::store::{DecidedApproval, PendingApproval};
use futures_util::future::join_all;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::runtime::{Runtime, RuntimeError};

/// Timeout per assistant; a late one is reported as a problem.
const TIMEOUT: Duration = Duration::from_secs(2);
/// Decided cards stay in the inbox for this many days.
const DECIDED_DAYS: i64 = 14;

/// Inbox sources by assistant.
pub type InboxSources = BTreeMap<&'static str, Arc<dyn InboxSource>>;

/// Everything that waits for a person.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Inbox {
    /// Number of waiting cards and work items.
    pub count: u64,
    /// Cards that the person may decide, oldest first.
    pub cards: Vec<PendingApproval>,
    /// Work reported by assistants; assistants without work are omitted.
    pub work: Vec<AssistantWork>,
    /// Cards of the last 14 days that the person requested, decided or could have decided, newest
    /// first.
    pub decided: Vec<DecidedApproval>,
}

/// Work that waits at one assistant.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct AssistantWork {
    pub assistant: String,
    pub title: String,
    /// A description of the work; empty if the assistant is unavailable.
    pub about: String,
    pub count: u64,
    /// The assistant's board on the page.
    pub link: Option<String>,
    pub items: Vec<WaitingItem>,
    /// Reason why the assistant's work is unknown at the moment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

impl Inbox {
    pub async fn load(
        runtime: &Runtime,
        sources: &InboxSources,
        env: &dyn Env,
        who: &Principal,
    ) -> Result<Self, RuntimeError> {
        let since = env.now() - TimeDelta::days(DECIDED_DAYS);
        let (cards, decided, work) = tokio::join!(
            runtime.pending_approvals(who),
            runtime.decided_approvals(who, since),
            reported(runtime, sources, who),
        );
        let cards = cards?;
        let at_work: u64 = work.iter().map(|one| one.count).sum();
        Ok(Self {
            count: cards.len() as u64 + at_work,
            cards,
            work,
            decided: decided?,
        })
    }
}

/// Asks all assistants that this person may use concurrently.
async fn reported(
    runtime: &Runtime,
    sources: &InboxSources,
    who: &Principal,
) -> Vec<AssistantWork> {
    let asked = sources.iter().filter_map(|(name, source)| {
        let title = runtime.assistant(who, name).ok()?.title.to_owned();
        Some(async move {
            let answer = tokio::time::timeout(TIMEOUT, source.waiting(who)).await;
            AssistantWork::of(name, title, answer.ok())
        })
    });
    join_all(asked).await.into_iter().flatten().collect()
}

impl AssistantWork {
    /// `None` if nothing waits. An `answer` of `None` is a timeout.
    fn of(
        name: &str,
        title: String,
        answer: Option<Result<Option<WaitingWork>, BoxError>>,
    ) -> Option<Self> {
        let known = |work: WaitingWork| Self {
            assistant: name.to_owned(),
            title: title.clone(),
            about: work.about,
            count: work.count,
            link: Some(work.link),
            items: work.items,
            problem: None,
        };
        let unknown = |problem: String| Self {
            assistant: name.to_owned(),
            title: title.clone(),
            about: String::new(),
            count: 0,
            link: None,
            items: Vec::new(),
            problem: Some(problem),
        };
        match answer {
            Some(Ok(work)) => work.filter(|work| work.count > 0).map(known),
            Some(Err(error)) => {
                tracing::warn!(assistant = name, %error, "no inbox items");
                Some(unknown(format!("{title} cannot be reached at the moment.")))
            }
            None => Some(unknown(format!("{title} did not answer in time."))),
        }
    }
}
