//! What a conversation knows of its journey: facts, estimate and shortlist in its metadata, where the page and the
//! company's members read them. Told to the model at the start of each turn.

use std::sync::Arc;

use async_trait::async_trait;
use frontdesk_core::access::Principal;
use frontdesk_core::assistant::ContextLoader;
use frontdesk_core::conversation::{Conversation, DEFAULT_TITLE};
use frontdesk_core::id::ConversationId;
use frontdesk_core::phase::Phase;
use frontdesk_core::tool::ToolContext;
use frontdesk_core::untrusted;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::domain::catalogue::Robot;
use super::domain::discovery::{Discovery, Fact, State};
use super::domain::keys::{Group, Key};
use super::domain::recommend::DEFAULT_TOP;
use super::domain::roi::Edits;
use super::domain::shortlist::Shortlist;
use super::shelf::Shelf;

pub(super) const DISCOVERY_PHASE: Phase = Phase::named("discovery");
pub(super) const ROI_PHASE: Phase = Phase::named("roi");
pub(super) const SELECTION_PHASE: Phase = Phase::named("selection");

/// Keys of the conversation's metadata.
const DISCOVERY: &str = "discovery";
const DISCOVERY_STATE: &str = "discovery_state";
const ROI: &str = "roi";
const SHORTLIST: &str = "shortlist";

/// What was calculated last: for which robots, and with which assumptions changed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub(super) struct LastRoi {
    pub(super) robots: Vec<String>,
    pub(super) edits: Edits,
}

/// The owner can write into the metadata, so what is not of the right form counts as absent.
fn read<T: DeserializeOwned + Default>(conversation: &Conversation, key: &str) -> T {
    let kept = conversation.metadata.get(key).cloned();
    kept.and_then(|value| serde_json::from_value(value).ok())
        .unwrap_or_default()
}

pub(super) fn discovery(conversation: &Conversation) -> Discovery {
    read(conversation, DISCOVERY)
}

pub(super) fn last_roi(conversation: &Conversation) -> LastRoi {
    let last: LastRoi = read(conversation, ROI);
    match last.edits.check() {
        Ok(()) => last,
        Err(_) => LastRoi {
            edits: Edits::default(),
            ..last
        },
    }
}

pub(super) fn shortlist(conversation: &Conversation) -> Shortlist {
    read(conversation, SHORTLIST)
}

pub(super) fn keep_discovery(ctx: &ToolContext, discovery: &Discovery) {
    ctx.remember(DISCOVERY, json!(discovery));
    ctx.remember(DISCOVERY_STATE, json!(discovery.state()));
    let name = discovery
        .fact(Key::CompanyName)
        .map(|fact| fact.value.clone());
    if let Some(name) = name.filter(|_| ctx.conversation().title == DEFAULT_TITLE) {
        ctx.retitle(format!("{name}: cleaning robots"));
    }
}

pub(super) fn keep_roi(ctx: &ToolContext, last: &LastRoi) {
    ctx.remember(ROI, json!(last));
}

pub(super) fn keep_shortlist(ctx: &ToolContext, shortlist: &Shortlist) {
    ctx.remember(SHORTLIST, json!(shortlist));
}

/// The state as the page reads it.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "DiscoveryView", example = an_example())]
pub(super) struct Seen {
    conversation_id: ConversationId,
    phase: Phase,
    discovery_state: State,
    groups: Vec<Facts>,
    next_questions: Vec<Question>,
    /// What was calculated last.
    roi: LastRoi,
    shortlist: Shortlist,
}

/// What was said about one side of the business.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "DiscoveryFacts")]
struct Facts {
    group: Group,
    facts: Vec<Fact>,
}

/// A question with the answers that are offered.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "DiscoveryQuestion")]
pub(super) struct Question {
    key: Key,
    label: &'static str,
    group: Group,
    question: &'static str,
    chips: &'static [&'static str],
}

impl Seen {
    fn new(id: ConversationId, phase: Phase, discovery: &Discovery) -> Self {
        let facts = discovery.by_group().into_iter();
        Self {
            conversation_id: id,
            phase,
            discovery_state: discovery.state(),
            groups: facts
                .map(|(group, facts)| Facts {
                    group,
                    facts: facts.into_iter().cloned().collect(),
                })
                .collect(),
            next_questions: discovery
                .next_questions()
                .into_iter()
                .map(question)
                .collect(),
            roi: LastRoi::default(),
            shortlist: Shortlist::default(),
        }
    }
}

pub(super) fn state(conversation: &Conversation) -> Seen {
    Seen {
        roi: last_roi(conversation),
        shortlist: shortlist(conversation),
        ..Seen::new(
            conversation.id,
            conversation.phase.clone(),
            &discovery(conversation),
        )
    }
}

/// A conversation that has just begun.
fn an_example() -> Seen {
    let id = ConversationId::from_uuid(uuid::Uuid::nil());
    Seen::new(id, DISCOVERY_PHASE, &Discovery::default())
}

pub(super) fn question(key: Key) -> Question {
    let about = key.about();
    Question {
        key,
        label: about.label,
        group: about.group,
        question: about.question,
        chips: about.chips,
    }
}

/// Tells the model how far the journey has come.
pub(super) struct Journey;

#[async_trait]
impl ContextLoader for Journey {
    async fn load(&self, _: &Principal, conversation: &Conversation) -> Option<String> {
        let discovery = discovery(conversation);
        let state = discovery.state();
        let mut lines = vec![format!("Phase: {}.", conversation.phase)];
        for fact in &discovery.facts {
            lines.push(format!("Said: {} = {}", fact.label, seen(&fact.value)));
        }
        let missing: Vec<&str> = state.missing_keys.iter().map(|key| key.name()).collect();
        lines.push(match (missing.is_empty(), state.ready_for_roi) {
            (true, _) => "All required answers are there.".to_owned(),
            (false, true) => format!(
                "Enough for an estimate; still open: {}.",
                missing.join(", ")
            ),
            (false, false) => format!(
                "Not enough for an estimate yet; missing: {}.",
                missing.join(", ")
            ),
        });
        let shortlist = shortlist(conversation);
        if !shortlist.robots.is_empty() {
            lines.push(format!(
                "Shortlist: {}.",
                seen(&shortlist.robots.join(", "))
            ));
        }
        Some(lines.join("\n"))
    }

    fn suggest(&self, conversation: &Conversation) -> Vec<String> {
        chips(conversation)
    }
}

/// What the person might want next.
pub(super) fn chips(conversation: &Conversation) -> Vec<String> {
    let discovery = discovery(conversation);
    let shortlist = shortlist(conversation);
    let said: &[&str] = if conversation.phase == ROI_PHASE {
        &["Recommend robots", "Calculate the ROI", "Go to selection"]
    } else if conversation.phase == SELECTION_PHASE && shortlist.robots.is_empty() {
        &["Recommend robots", "Show the shortlist"]
    } else if conversation.phase == SELECTION_PHASE {
        &["Show the shortlist", "Make the business case"]
    } else {
        return discovery_chips(&discovery);
    };
    said.iter().map(|chip| (*chip).to_owned()).collect()
}

/// The answers to the next question, and the way on when there is enough.
pub(super) fn discovery_chips(discovery: &Discovery) -> Vec<String> {
    let next = discovery.next_questions();
    let answers = next.first().map_or(&[][..], |key| key.about().chips);
    let mut chips: Vec<String> = answers.iter().map(|chip| (*chip).to_owned()).collect();
    if discovery.state().ready_for_roi {
        chips.insert(0, "Go to ROI".to_owned());
    }
    chips
}

/// Words that came from people, on one line and without what nobody sees.
fn seen(text: &str) -> String {
    let (seen, _) = untrusted::clean(text);
    seen.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Tells the model which products fit, by retrieval, where robots are spoken of.
pub(super) struct ProductContext {
    pub(super) shelf: Arc<Shelf>,
}

#[async_trait]
impl ContextLoader for ProductContext {
    async fn load(&self, principal: &Principal, conversation: &Conversation) -> Option<String> {
        if conversation.phase == DISCOVERY_PHASE {
            return None;
        }
        let query = query(&discovery(conversation));
        match self.shelf.search(principal, &query, DEFAULT_TOP).await {
            Ok(found) if found.is_empty() => None,
            Ok(found) => {
                let pages: Vec<String> = found.iter().map(|(robot, _)| told(robot)).collect();
                Some(format!(
                    "Products that may fit (indicative prices):\n{}",
                    pages.join("\n")
                ))
            }
            Err(error) => {
                // The turn goes on: the tools still know the catalogue itself.
                tracing::warn!(conversation.id = %conversation.id, error.message = %error, "no product context: retrieval failed");
                Some("Products could not be looked up just now; use the tools for anything about robots.".to_owned())
            }
        }
    }
}

fn told(robot: &Robot) -> String {
    robot
        .page()
        .lines()
        .filter(|line| !line.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

/// What is known, as a question to the catalogue.
fn query(discovery: &Discovery) -> String {
    let about = [
        Key::CompanyType,
        Key::Surfaces,
        Key::Method,
        Key::Sqft,
        Key::Priorities,
    ];
    let known: Vec<String> = about
        .into_iter()
        .filter_map(|key| discovery.fact(key))
        .map(|fact| fact.value.clone())
        .collect();
    if known.is_empty() {
        return "cleaning robot".to_owned();
    }
    format!("cleaning robot for {}", known.join(", "))
}

#[cfg(test)]
#[path = "journey_tests.rs"]
mod journey_tests;
