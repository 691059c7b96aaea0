//! Doubts about a manifest that do not prevent its use.

use frontdesk_core::access::Role;
use frontdesk_core::assistant::Assistant;
use indexmap::IndexMap;

use super::error::{ManifestError, Problem, at, unknown};
use super::folder::ManifestFolder;
use super::format::Manifest;

pub(super) fn warnings(manifest: &Manifest, assistant: &Assistant) -> Vec<Problem> {
    let mut warnings = Vec::new();
    for name in manifest.source.keys() {
        let by_tools = manifest.tool.values().map(|tool| &tool.source);
        let mut users = by_tools.chain(manifest.context.iter().map(|facts| &facts.source));
        if !users.any(|named| manifest.source_of(named) == Some(name)) {
            warnings.push(at(format!("source.{name}"), "no tool uses this source"));
        }
    }
    for (index, rule) in manifest.never.iter().enumerate() {
        if !rule.applies_to(assistant) {
            warnings.push(at(format!("never[{index}]"), "no tool has such a name"));
        }
    }
    warnings.extend(similar_roles(manifest, assistant));
    warnings
}

/// Roles that differ by a letter are usually one role. The one that the assistant, a person or
/// more tools name is taken for right.
fn similar_roles(manifest: &Manifest, assistant: &Assistant) -> Vec<Problem> {
    const NEARLY: f64 = 0.92;
    let mut counts: IndexMap<&Role, usize> = IndexMap::new();
    for role in assistant.roles_named() {
        *counts.entry(role).or_default() += 1;
    }
    let mut warnings = Vec::new();
    for (role, count) in &counts {
        let better = counts.iter().find(|(other, more)| {
            let near = strsim::jaro_winkler(role.as_str(), other.as_str()) >= NEARLY;
            near && more > &count
        });
        if let Some((other, _)) = better {
            let problem = format!("the role `{role}` is nearly `{other}`; is it the same?");
            warnings.push(at(key_of_role(manifest, role), problem));
        }
    }
    warnings
}

fn key_of_role(manifest: &Manifest, role: &Role) -> String {
    let named_by = manifest.tool.iter().find_map(|(name, entry)| {
        let fields = [("roles", &entry.roles), ("approvers", &entry.approvers)];
        let (field, _) = fields.into_iter().find(|(_, roles)| roles.contains(role))?;
        Some(format!("tool.{name}.{field}"))
    });
    named_by.unwrap_or_else(|| "roles".to_owned())
}

/// Headings of `phrasings.txt` that are no tool.
pub(super) fn unknown_phrasings(
    folder: &ManifestFolder,
    assistant: &Assistant,
) -> Vec<ManifestError> {
    let known: Vec<&str> = assistant
        .toolbox
        .defs()
        .map(|def| def.name.as_ref())
        .collect();
    let mut warnings = Vec::new();
    for (index, line) in folder.phrasings.lines().enumerate() {
        let heading = line
            .trim()
            .strip_prefix('[')
            .and_then(|rest| rest.strip_suffix(']'));
        let tools = heading.and_then(|heading| heading.split(':').next());
        let tools = tools
            .into_iter()
            .flat_map(|tools| tools.split(','))
            .map(str::trim);
        for tool in tools.filter(|tool| *tool != "nothing" && !known.contains(tool)) {
            let problem = unknown("tool", tool, known.iter().copied());
            warnings.push(ManifestError {
                line: Some(index + 1),
                ..ManifestError::of_file(&folder.phrasings_file(), problem)
            });
        }
    }
    warnings
}
