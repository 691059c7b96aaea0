//! Doubts about a manifest that do not prevent its use.

use frontdesk_core::assistant::Assistant;
use frontdesk_core::never::Never;
use indexmap::IndexMap;

use super::build::AssistantBuilder;
use super::error::{ManifestError, hint};
use super::folder::ManifestFolder;

impl AssistantBuilder<'_> {
    pub(super) fn warnings(&self, assistant: &Assistant) -> Vec<ManifestError> {
        let mut warnings = Vec::new();
        for name in self.sources.keys() {
            let only = self.sources.len() == 1;
            let uses = |named: &Option<String>| match named {
                Some(named) => named == name,
                None => only,
            };
            let by_tools = self.manifest.tool.values().any(|tool| uses(&tool.source));
            let by_facts = self
                .manifest
                .context
                .iter()
                .any(|facts| uses(&facts.source));
            if !by_tools && !by_facts {
                let key = format!("source.{name}");
                warnings.push(self.places.error(&key, "no tool uses this source"));
            }
        }
        for (index, text) in self.manifest.never.iter().enumerate() {
            let rule = text.parse::<Never>().ok();
            if rule.is_some_and(|rule| !rule.applies_to(assistant)) {
                let key = format!("never[{index}]");
                warnings.push(self.places.error(&key, "no tool has such a name"));
            }
        }
        warnings.extend(self.similar_roles(assistant));
        warnings
    }

    /// Roles that differ by a letter are usually one role. The one that the assistant, a person or
    /// more tools name is taken for right.
    fn similar_roles(&self, assistant: &Assistant) -> Vec<ManifestError> {
        const NEARLY: f64 = 0.92;
        let mut counts: IndexMap<&str, usize> = IndexMap::new();
        for role in assistant.roles_named() {
            *counts.entry(role.as_str()).or_default() += 1;
        }
        let mut warnings = Vec::new();
        for (name, count) in &counts {
            let better = counts.iter().find(|(other, more)| {
                let near = strsim::jaro_winkler(name, other) >= NEARLY;
                near && other != &name && more > &count
            });
            if let Some((other, _)) = better {
                let problem = format!("the role `{name}` is nearly `{other}`; is it the same?");
                let key = self.key_of_role(name);
                warnings.push(self.places.error(&key, problem));
            }
        }
        warnings
    }

    fn key_of_role(&self, role: &str) -> String {
        let has = |roles: &[String]| roles.iter().any(|name| name == role);
        let tool = self.manifest.tool.iter().find_map(|(name, entry)| {
            let field = match (has(&entry.roles), has(&entry.approvers)) {
                (true, _) => "roles",
                (false, true) => "approvers",
                (false, false) => return None,
            };
            Some(format!("tool.{name}.{field}"))
        });
        tool.unwrap_or_else(|| "roles".to_owned())
    }
}

/// Headings of `phrasings.txt` that are no tool.
pub(super) fn unknown_phrasings(
    folder: &ManifestFolder,
    assistant: &Assistant,
) -> Vec<ManifestError> {
    let known = || assistant.toolbox.defs().map(|def| def.name.as_ref());
    let mut warnings = Vec::new();
    for (index, line) in folder.phrasings().lines().enumerate() {
        let line = line.trim();
        let Some(heading) = line
            .strip_prefix('[')
            .and_then(|rest| rest.strip_suffix(']'))
        else {
            continue;
        };
        let tools = heading
            .split(':')
            .next()
            .unwrap_or_default()
            .split(',')
            .map(str::trim);
        for tool in tools.filter(|tool| *tool != "nothing") {
            if !known().any(|name| name == tool) {
                warnings.push(ManifestError {
                    file: folder.phrasings_file(),
                    line: Some(index + 1),
                    key: String::new(),
                    problem: format!("there is no tool `{tool}`{}", hint(tool, known())),
                });
            }
        }
    }
    warnings
}
