//! One file per tool: its arguments, the draft of the model, how that becomes a document, and the
//! composer that fills the same sections without a model.

mod add_company_fact;
mod calendar_invite;
pub(super) mod candidate_report;
pub(super) mod compare_candidates;
mod confirm_requirement_profile;
mod funnel_report;
mod headhunting;
mod job_ad;
mod requirement_profile;
mod review;
mod revise_document;
mod screening;

/// Imports of every tool's file.
mod prelude {
    pub(super) use frontdesk_core::access::Role;
    pub(super) use frontdesk_core::artifact::ArtifactStatus;
    pub(super) use frontdesk_core::draft::Statement;
    pub(super) use frontdesk_core::grounding::SourceText;
    pub(super) use frontdesk_core::tool::{Tool, ToolContext, ToolError, ToolSpec};
    pub(super) use schemars::JsonSchema;
    pub(super) use serde::Deserialize;

    pub(super) use crate::document::{BLANK, Document, Item};
    pub(super) use crate::documents::{DocumentOutput, Place, agreed_profile, keep, newest};
    pub(super) use crate::examples::with_examples;
    pub(super) use crate::labels::{Labels, labels};
    pub(super) use crate::language::Language;
    pub(super) use crate::module::Module;
    pub(super) use crate::sources::{CALL, COMPANY, Sources, short};
    pub(super) use crate::writing::{Brief, Call, Writes};
}

use std::sync::Arc;

use frontdesk_core::draft::{Quote, Statement};
use frontdesk_core::tool::ToolContext;
use frontdesk_core::toolbox::{Toolbox, ToolboxError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::document::{Document, Item};
use super::labels::{Labels, labels};
use super::project;
use super::writing::{Resources, Writer};

pub(super) fn toolbox(resources: &Arc<Resources>) -> Result<Toolbox, ToolboxError> {
    Toolbox::builder()
        .phrasings(include_str!("../phrasings.txt"))
        .tool(Writer::<requirement_profile::Profile>::new(resources))
        .tool(confirm_requirement_profile::ConfirmRequirementProfile)
        .tool(Writer::<job_ad::JobAd>::new(resources))
        .tool(Writer::<screening::Guide<false>>::new(resources))
        .tool(Writer::<screening::Guide<true>>::new(resources))
        .tool(Writer::<headhunting::Messages>::new(resources))
        .tool(Writer::<candidate_report::Report>::new(resources))
        .tool(compare_candidates::CompareCandidates)
        .tool(funnel_report::CreateFunnelReport)
        .tool(Writer::<review::Review<false>>::new(resources))
        .tool(Writer::<review::Review<true>>::new(resources))
        .tool(Writer::<calendar_invite::Invite>::new(resources))
        .tool(revise_document::ReviseDocument(Arc::clone(resources)))
        .tool(add_company_fact::AddCompanyFact)
        .build()
}

/// A statement and the words of a source that it rests on.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Point {
    /// The statement, short and complete.
    text: String,
    /// The words of the source that say so.
    based_on: Quote,
}

/// A practical fact with the words of a source that it rests on.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct TopicPoint {
    topic: Topic,
    /// The fact, short and complete.
    text: String,
    /// The words of the source that say so.
    based_on: Quote,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Topic {
    Pay,
    Location,
    HomeOffice,
    OnCall,
    Start,
    Process,
    Notice,
    Availability,
    Languages,
    Other,
}

fn by_topic(points: Vec<TopicPoint>, labels: &Labels) -> Vec<Item> {
    let item = |point: TopicPoint| {
        Item::labelled(labels.choice(point.topic), point.text).quoting([point.based_on])
    };
    points.into_iter().map(item).collect()
}

/// With their quotes, for the recruiter.
fn quoted(points: Vec<Point>) -> Vec<Item> {
    let item = |point: Point| Item::new(point.text).quoting([point.based_on]);
    points.into_iter().map(item).collect()
}

/// Statements that a quote supports; the others are left out with a note.
fn proven(statements: Vec<Statement>, document: &mut Document) -> Vec<String> {
    let labels = labels(document.language);
    let (bare, proven): (Vec<_>, Vec<_>) = statements
        .into_iter()
        .partition(|statement| statement.based_on.is_empty());
    let note = |bare: &Statement| labels.note("left_out", &[("text", &bare.text)]);
    document.notes.extend(bare.iter().map(note));
    proven.into_iter().map(|proven| proven.text).collect()
}

/// The paragraphs of a message. The recruiter is asked to check claims without a quote.
fn message(statements: &[Statement], document: &mut Document) -> Vec<String> {
    let labels = labels(document.language);
    let why = labels.word("unproven");
    for claim in statements.iter().filter(|claim| claim.is_unproven()) {
        let values = [("text", claim.text.as_str()), ("why", why)];
        document.notes.push(labels.note("check", &values));
    }
    let texts = statements.iter().map(|statement| &statement.text);
    texts.cloned().collect()
}

fn lines<S: AsRef<str>>(texts: &[S]) -> Vec<Item> {
    let texts = texts.iter().map(AsRef::as_ref);
    let written = texts.filter(|text| !text.trim().is_empty());
    written.map(Item::new).collect()
}

/// The name of the role: the profile's, else the project's.
fn position_of(ctx: &ToolContext, profile: &Document) -> String {
    profile
        .field("position_title")
        .map(str::to_owned)
        .or_else(|| project::position(ctx.conversation()))
        .unwrap_or_else(|| profile.title.clone())
}

fn texts_of(document: &Document, id: &str) -> Vec<String> {
    let items = document.items_of(id);
    items.map(|item| item.text.clone()).collect()
}

/// A list for the model, numbered from 1.
fn numbered(texts: &[String]) -> String {
    let numbered = (1..).zip(texts);
    let lines: Vec<String> = numbered.map(|(at, text)| format!("{at}. {text}")).collect();
    lines.join("\n")
}
