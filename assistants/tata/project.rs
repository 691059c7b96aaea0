//! The recruitment project of a conversation: position, language and documents. The model gets it as
//! context of each turn, and the suggestions after an answer follow from it.

use std::sync::Arc;

use async_trait::async_trait;
use frontdesk_core::access::Principal;
use frontdesk_core::artifact::{ArtifactMark, ArtifactStatus};
use frontdesk_core::assistant::ContextLoader;
use frontdesk_core::conversation::Conversation;
use frontdesk_core::env::Env;
use frontdesk_core::untrusted;
use serde::de::DeserializeOwned;

use super::chips::chips;
use super::language::Language;
use super::module::Module;
use super::tools::compare_candidates;

/// Keys of the conversation's metadata.
pub(super) const POSITION: &str = "position";
pub(super) const LANGUAGE: &str = "language";
pub(super) const HIRING_MANAGER: &str = "hiring_manager";

const LONGEST_LINE: usize = 200;

/// The position, if the conversation names one. Its owner can write the metadata, so values of another
/// form are ignored.
pub(super) fn position(conversation: &Conversation) -> Option<String> {
    line(conversation, POSITION)
}

fn line(conversation: &Conversation, key: &str) -> Option<String> {
    let given: String = read(conversation, key)?;
    Some(seen_line(&given)).filter(|line| !line.is_empty())
}

/// One short line without invisible characters.
fn seen_line(text: &str) -> String {
    let (seen, _) = untrusted::clean(text);
    let line: Vec<&str> = seen.split_whitespace().collect();
    line.join(" ").chars().take(LONGEST_LINE).collect()
}

pub(super) fn language(conversation: &Conversation) -> Option<Language> {
    read(conversation, LANGUAGE)
}

/// The hiring manager's name and title, as the profile has them.
pub(super) fn hiring_manager(conversation: &Conversation) -> Option<String> {
    line(conversation, HIRING_MANAGER)
}

/// Whether a stored document is one that Tata makes.
pub(super) fn is_ours(kind: &str) -> bool {
    Module::of_artifact(kind).is_some() || kind == compare_candidates::KIND
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
        let built: Option<u32> = read(conversation, &built_on(&mark.kind, &mark.key));
        built.is_some_and(|built| built < profile)
    };
    let marks = conversation.progress.artifacts.iter().filter(is_older);
    marks.map(in_words).collect()
}

fn profile_version(conversation: &Conversation) -> u32 {
    let kind = Module::RequirementProfile.facts().artifact;
    let marks = conversation.progress.artifacts.iter();
    let versions = marks
        .filter(|mark| mark.kind == kind)
        .map(|mark| mark.version);
    versions.max().unwrap_or(0)
}

/// "job ad (sv)", "candidate report (sara lind 2026-03-10)".
fn in_words(mark: &ArtifactMark) -> String {
    let name = match Module::of_artifact(&mark.kind) {
        Some(module) => module.facts().words.to_owned(),
        None => mark.kind.replace('_', " "),
    };
    match mark.key.as_str() {
        "" => name,
        key => format!("{name} ({key})"),
    }
}

/// Loads the project as context for the model.
pub(super) struct Project {
    pub(super) env: Arc<dyn Env>,
}

#[async_trait]
impl ContextLoader for Project {
    async fn load(&self, principal: &Principal, conversation: &Conversation) -> Option<String> {
        let name = seen_line(principal.name());
        let now = self.env.now().format("%Y-%m-%dT%H:%M:%SZ");
        let mut lines = vec![
            format!("Signed in: {name}, recruiter."),
            format!("Now: {now} (UTC)."),
        ];
        lines.push(match position(conversation) {
            Some(position) => format!("Position: {position}"),
            None => "The position is not known yet.".to_owned(),
        });
        if let Some(manager) = hiring_manager(conversation) {
            lines.push(format!("Hiring manager: {manager}"));
        }
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
        let next = chips(&conversation.progress.artifacts).into_iter();
        next.map(str::to_owned).collect()
    }
}

#[cfg(test)]
#[path = "project_tests.rs"]
mod project_tests;
