//! Everything that waits for a person: approval cards, and work reported by assistants.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use frontdesk_bundle::{BoxError, DecidedItem, InboxSource, WaitingItem, WaitingWork};
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
pub type InboxSources = BTreeMap<String, Arc<dyn InboxSource>>;

/// Everything that waits for a person.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Inbox {
    /// Number of waiting cards and work items.
    pub count: u64,
    /// Cards that the person may decide, oldest first.
    pub cards: Vec<PendingApproval>,
    /// Work of assistants, waiting or decided lately; those without any are left out.
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
    /// Work of the last 14 days that is decided, with who and when, newest first.
    #[serde(default)]
    pub decided: Vec<DecidedItem>,
    /// Why nothing is known of this assistant's work at the moment.
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
            reported(runtime, sources, who, since),
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
    since: DateTime<Utc>,
) -> Vec<AssistantWork> {
    let asked = sources.iter().filter_map(|(name, source)| {
        let title = runtime.assistant(who, name).ok()?.title.to_string();
        Some(async move {
            let answer = tokio::time::timeout(TIMEOUT, source.waiting(who)).await;
            AssistantWork::of(name, title, since, answer.ok())
        })
    });
    join_all(asked).await.into_iter().flatten().collect()
}

impl AssistantWork {
    /// `None` where nothing waits or was decided lately. An answer that is `None` did not come in time.
    fn of(
        name: &str,
        title: String,
        since: DateTime<Utc>,
        answer: Option<Result<Option<WaitingWork>, BoxError>>,
    ) -> Option<Self> {
        let known = |work: WaitingWork| Self {
            assistant: name.to_owned(),
            title: title.clone(),
            about: work.about,
            count: work.count,
            link: Some(work.link),
            items: work.items,
            decided: work.decided,
            problem: None,
        };
        let unknown = |problem: String| Self {
            assistant: name.to_owned(),
            title: title.clone(),
            about: String::new(),
            count: 0,
            link: None,
            items: Vec::new(),
            decided: Vec::new(),
            problem: Some(problem),
        };
        match answer {
            Some(Ok(work)) => {
                let mut work = work?;
                work.decided.retain(|item| item.at >= since);
                (work.count > 0 || !work.decided.is_empty()).then(|| known(work))
            }
            Some(Err(error)) => {
                tracing::warn!(assistant = name, %error, "no inbox items");
                Some(unknown(format!("{title} cannot be reached at the moment.")))
            }
            None => Some(unknown(format!("{title} did not answer in time."))),
        }
    }
}
