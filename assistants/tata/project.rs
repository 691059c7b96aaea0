//! What a conversation knows of its recruitment project: position, language and documents. Told to the model at the start
//! of each turn; the chips after each answer come from it too.

use std::collections::BTreeSet;
use std::sync::Arc;

use async_trait::async_trait;
use frontdesk_core::access::Principal;
use frontdesk_core::artifact::{ArtifactMark, ArtifactStatus};
use frontdesk_core::assistant::ContextLoader;
use frontdesk_core::conversation::Conversation;
use frontdesk_core::untrusted;
use frontdesk_core::world::World;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::domain::chips::{self, Shelf, chips};
use super::domain::language::{GermanAddress, Language};
use super::domain::module::Module;
use super::domain::requirement_profile::ProfileStatus;

/// Keys of the conversation's metadata.
pub(super) const POSITION: &str = "position";
pub(super) const LANGUAGE: &str = "language";
pub(super) const GERMAN_ADDRESS: &str = "german_address";

pub(super) const FIRST_CHIPS: &[&str] = chips::FIRST;

const LONGEST_POSITION: usize = 200;

/// What the project is, as far as its conversation says. The owner can write into the metadata, so what is not of the
/// right form is left out.
pub(super) fn position(conversation: &Conversation) -> Option<String> {
    let given: String = read(conversation, POSITION)?;
    let (seen, _) = untrusted::clean(&given);
    let line: Vec<&str> = seen.split_whitespace().collect();
    let line: String = line.join(" ").chars().take(LONGEST_POSITION).collect();
    (!line.is_empty()).then_some(line)
}

pub(super) fn language(conversation: &Conversation) -> Option<Language> {
    read(conversation, LANGUAGE)
}

pub(super) fn german_address(conversation: &Conversation) -> Option<GermanAddress> {
    read(conversation, GERMAN_ADDRESS)
}

fn read<T: DeserializeOwned>(conversation: &Conversation, key: &str) -> Option<T> {
    serde_json::from_value(conversation.metadata.get(key)?.clone()).ok()
}

/// Under this key the metadata remembers on which version of the profile a document was built.
pub(super) fn built_on(kind: &str, key: &str) -> String {
    format!("built_on.{kind}.{key}")
}

/// The newest version of each document that was built on an older profile than `profile`, in words.
pub(super) fn stale(conversation: &Conversation, profile: u32) -> Vec<String> {
    let is_older = |mark: &&ArtifactMark| {
        let built = conversation.metadata.get(&built_on(&mark.kind, &mark.key));
        built
            .and_then(Value::as_u64)
            .is_some_and(|built| built < u64::from(profile))
    };
    let marks = conversation.progress.artifacts.iter().filter(is_older);
    marks.map(in_words).collect()
}

fn profile_version(conversation: &Conversation) -> u32 {
    let kind = Module::RequirementProfile.facts().artifact;
    let marks = conversation.progress.artifacts.iter();
    marks
        .filter(|mark| mark.kind == kind)
        .map(|mark| mark.version)
        .max()
        .unwrap_or(0)
}

/// "job ad (sv)", "candidate report (sara lind 2026-03-10)".
fn in_words(mark: &ArtifactMark) -> String {
    let name = match Module::of_artifact(&mark.kind) {
        Some(module) => module.words().to_owned(),
        None => mark.kind.replace('_', " "),
    };
    match mark.key.as_str() {
        "" => name,
        key => format!("{name} ({key})"),
    }
}

pub(super) fn shelf(conversation: &Conversation) -> Shelf {
    let mut shelf = Shelf::default();
    for mark in &conversation.progress.artifacts {
        match Module::of_artifact(&mark.kind) {
            Some(Module::RequirementProfile) => {
                shelf.profile = Some(match mark.status {
                    ArtifactStatus::Draft => ProfileStatus::Draft,
                    ArtifactStatus::Confirmed => ProfileStatus::Confirmed,
                });
                shelf.made.insert(Module::RequirementProfile);
            }
            Some(Module::CandidateReport) => {
                shelf.candidate_reports += 1;
                shelf.made.insert(Module::CandidateReport);
            }
            Some(module) => {
                shelf.made.insert(module);
            }
            None => {}
        }
    }
    shelf
}

/// The modules that the project has documents of.
pub(super) fn made(conversation: &Conversation) -> BTreeSet<Module> {
    shelf(conversation).made
}

/// Tells the model what the project is and has.
pub(super) struct Project {
    pub(super) world: Arc<dyn World>,
}

#[async_trait]
impl ContextLoader for Project {
    async fn load(&self, principal: &Principal, conversation: &Conversation) -> Option<String> {
        let (name, _) = untrusted::clean(principal.name());
        let name: Vec<&str> = name.split_whitespace().collect();
        let now = self.world.now().format("%Y-%m-%dT%H:%M:%SZ");
        let mut lines = vec![
            format!("Signed in: {}, recruiter.", name.join(" ")),
            format!("Now: {now} (UTC)."),
        ];
        lines.push(match position(conversation) {
            Some(position) => format!("Position: {position}"),
            None => "The position is not known yet.".to_owned(),
        });
        if let Some(language) = language(conversation) {
            lines.push(format!("Language of the documents: {}", language.name()));
        }
        let stale = stale(conversation, profile_version(conversation));
        for mark in &conversation.progress.artifacts {
            let name = in_words(mark);
            let status = match Module::of_artifact(&mark.kind) {
                Some(Module::RequirementProfile) if mark.status == ArtifactStatus::Draft => {
                    ", waits for the recruiter's confirmation"
                }
                Some(Module::RequirementProfile) => ", confirmed",
                Some(_) | None if stale.contains(&name) => {
                    ", built on an older requirement profile"
                }
                Some(_) | None => "",
            };
            lines.push(format!("Made: {name}, version {}{status}", mark.version));
        }
        Some(lines.join("\n"))
    }

    fn suggest(&self, conversation: &Conversation) -> Vec<String> {
        let next = chips(&shelf(conversation)).into_iter();
        next.map(str::to_owned).collect()
    }
}

#[cfg(test)]
#[path = "project_tests.rs"]
mod project_tests;
