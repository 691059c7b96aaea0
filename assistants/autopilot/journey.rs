//! The state of a decision in the conversation's metadata: facts, calculation and shortlist. The page and the company's
//! members read it there, and the model gets it at the start of each turn.

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
use super::domain::recommend::{DEFAULT_TOP, recommend};
use super::domain::roi::{Edits, Inputs, Missing};
use super::domain::shortlist::Shortlist;
use super::product_store::ProductStore;

pub(super) const DISCOVERY_PHASE: Phase = Phase::named("discovery");
pub(super) const ROI_PHASE: Phase = Phase::named("roi");
pub(super) const SELECTION_PHASE: Phase = Phase::named("selection");

/// Offered answers at a time.
const MOST_CHIPS: usize = 6;

/// Keys of the conversation's metadata.
const DISCOVERY: &str = "discovery";
const DISCOVERY_STATE: &str = "discovery_state";
const ROI: &str = "roi";
const SHORTLIST: &str = "shortlist";

/// The last calculation: its robots, and the values that were changed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub(super) struct LastRoi {
    pub(super) robots: Vec<String>,
    pub(super) edits: Edits,
}

/// The owner can write into the metadata, so a value of another form counts as absent.
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

/// The inputs of a calculation, or the facts that are missing.
pub(super) fn inputs(conversation: &Conversation) -> Result<Inputs, Missing> {
    Inputs::of(&discovery(conversation), &last_roi(conversation).edits)
}

pub(super) fn shortlist(conversation: &Conversation) -> Shortlist {
    read(conversation, SHORTLIST)
}

/// The robots that figures are about unless others are named: those calculated last, else the shortlist, else the best.
pub(super) fn default_robots<'r>(
    robots: &'r [Robot],
    conversation: &Conversation,
    inputs: &Result<Inputs, Missing>,
) -> Vec<&'r Robot> {
    let kept = [
        last_roi(conversation).robots,
        shortlist(conversation).robots,
    ];
    let mut kept = kept.iter().map(|skus| by_sku(robots, skus));
    kept.find(|kept| !kept.is_empty()).unwrap_or_else(|| {
        let budget = discovery(conversation).monthly_budget();
        let best = inputs
            .as_ref()
            .map(|inputs| recommend(robots, inputs, budget, DEFAULT_TOP));
        let best = best.unwrap_or_default().recommendations.into_iter();
        let skus: Vec<String> = best.map(|one| one.sku).collect();
        by_sku(robots, &skus)
    })
}

/// The robots of a list of skus.
pub(super) fn by_sku<'r>(robots: &'r [Robot], skus: &[String]) -> Vec<&'r Robot> {
    let find = |sku: &String| robots.iter().find(|robot| robot.sku == *sku);
    skus.iter().filter_map(find).collect()
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

/// The state for the page.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "DiscoveryView", example = an_example())]
pub(super) struct DecisionView {
    conversation_id: ConversationId,
    phase: Phase,
    discovery_state: State,
    groups: Vec<Facts>,
    next_questions: Vec<Question>,
    roi: LastRoi,
    shortlist: Shortlist,
}

/// The facts of one group.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "DiscoveryFacts")]
struct Facts {
    group: Group,
    facts: Vec<Fact>,
}

/// A question with the answers that are offered.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "DiscoveryQuestion", example = question(Key::ALL[0]))]
pub(super) struct Question {
    key: Key,
    label: &'static str,
    group: Group,
    question: &'static str,
    chips: &'static [&'static str],
}

pub(super) fn state(conversation: &Conversation) -> DecisionView {
    DecisionView {
        roi: last_roi(conversation),
        shortlist: shortlist(conversation),
        ..view(
            conversation.id,
            conversation.phase.clone(),
            &discovery(conversation),
        )
    }
}

fn view(id: ConversationId, phase: Phase, discovery: &Discovery) -> DecisionView {
    let facts = |(group, facts): (Group, Vec<&Fact>)| Facts {
        group,
        facts: facts.into_iter().cloned().collect(),
    };
    DecisionView {
        conversation_id: id,
        phase,
        discovery_state: discovery.state(),
        groups: discovery.by_group().into_iter().map(facts).collect(),
        next_questions: discovery
            .next_questions()
            .into_iter()
            .map(question)
            .collect(),
        roi: LastRoi::default(),
        shortlist: Shortlist::default(),
    }
}

/// An empty conversation.
fn an_example() -> DecisionView {
    let id = ConversationId::from_uuid(uuid::Uuid::nil());
    view(id, DISCOVERY_PHASE, &Discovery::default())
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

/// Gives the model the phase, the facts and what is missing.
pub(super) struct Journey;

#[async_trait]
impl ContextLoader for Journey {
    async fn load(&self, _: &Principal, conversation: &Conversation) -> Option<String> {
        let discovery = discovery(conversation);
        let state = discovery.state();
        let mut lines = vec![format!("Phase: {}.", conversation.phase)];
        for fact in &discovery.facts {
            let (label, value, quote) = (&fact.label, one_line(&fact.value), one_line(&fact.quote));
            lines.push(format!("Said: {label} = {value} (“{quote}”)"));
        }
        let missing: Vec<&str> = state.missing_keys.iter().map(|key| key.name()).collect();
        let open = missing.join(", ");
        lines.push(match (missing.is_empty(), state.ready_for_roi) {
            (true, _) => "All required answers are there.".to_owned(),
            (false, true) => format!("Enough for an estimate; still open: {open}."),
            (false, false) => format!("Not enough for an estimate yet; missing: {open}."),
        });
        let shortlist = shortlist(conversation);
        if !shortlist.robots.is_empty() {
            lines.push(format!(
                "Shortlist: {}.",
                one_line(&shortlist.robots.join(", "))
            ));
        }
        Some(lines.join("\n"))
    }

    fn suggest(&self, conversation: &Conversation) -> Vec<String> {
        chips(conversation)
    }
}

/// Likely next messages of the person.
pub(super) fn chips(conversation: &Conversation) -> Vec<String> {
    let discovery = discovery(conversation);
    let shortlist = shortlist(conversation);
    let said: &[&str] = if conversation.phase == ROI_PHASE {
        &["Recommend robots", "Calculate the ROI", "Go to selection"]
    } else if conversation.phase == SELECTION_PHASE && shortlist.robots.is_empty() {
        &["Recommend robots", "Show the shortlist"]
    } else if conversation.phase == SELECTION_PHASE {
        &["Make the business case", "What are the next steps?"]
    } else {
        return discovery_chips(&discovery);
    };
    said.iter().map(|chip| (*chip).to_owned()).collect()
}

/// Answers to the next question, after the way to the figures if there are enough facts.
pub(super) fn discovery_chips(discovery: &Discovery) -> Vec<String> {
    let next = discovery.next_questions();
    let answers = next.first().map_or(&[][..], |key| key.about().chips);
    let answers = answers.iter().take(MOST_CHIPS);
    let mut chips: Vec<String> = answers.map(|chip| (*chip).to_owned()).collect();
    if discovery.state().ready_for_roi {
        chips.insert(0, "Go to ROI".to_owned());
    }
    chips
}

/// Text of people on one line, without invisible characters.
fn one_line(text: &str) -> String {
    let (clean, _) = untrusted::clean(text);
    clean.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Gives the model products that may fit, by retrieval, in the phases about robots.
pub(super) struct ProductContext {
    pub(super) products: Arc<ProductStore>,
}

#[async_trait]
impl ContextLoader for ProductContext {
    async fn load(&self, principal: &Principal, conversation: &Conversation) -> Option<String> {
        if conversation.phase == DISCOVERY_PHASE {
            return None;
        }
        let query = query(&discovery(conversation));
        match self.products.search(principal, &query, DEFAULT_TOP).await {
            Ok(found) if found.is_empty() => None,
            Ok(found) => {
                let pages: Vec<String> =
                    found.iter().map(|(robot, _)| product_line(robot)).collect();
                Some(format!(
                    "Products that may fit (indicative prices):\n{}",
                    pages.join("\n")
                ))
            }
            Err(error) => {
                // The tools still have the catalogue itself.
                tracing::warn!(conversation.id = %conversation.id, error.message = %error, "no product context: retrieval failed");
                Some("Products could not be looked up just now; use the tools for anything about robots.".to_owned())
            }
        }
    }
}

fn product_line(robot: &Robot) -> String {
    robot
        .page()
        .lines()
        .filter(|line| !line.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

/// The facts as a query to the catalogue.
fn query(discovery: &Discovery) -> String {
    let about = [
        Key::CompanyType,
        Key::Surfaces,
        Key::Method,
        Key::Sqft,
        Key::Priorities,
    ];
    let known = about.into_iter().filter_map(|key| discovery.fact(key));
    let known: Vec<&str> = known.map(|fact| fact.value.as_str()).collect();
    match known.is_empty() {
        true => "cleaning robot".to_owned(),
        false => format!("cleaning robot for {}", known.join(", ")),
    }
}

#[cfg(test)]
#[path = "journey_tests.rs"]
mod journey_tests;
