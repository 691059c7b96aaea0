//! `frontdesk check`: who may call which tool in which phase, and whether the rules about it hold.

use std::collections::BTreeSet;

use anyhow::bail;
use clap::Args;
use frontdesk_connect::manifest::{ManifestAssistant, SourceClient};
use frontdesk_connect::mcp::mcp_drift;
use frontdesk_connect::openapi::{Document, drift};
use frontdesk_core::access::Role;
use frontdesk_core::assistant::Assistant;
use frontdesk_core::never::Never;
use frontdesk_core::phase::Phase;
use frontdesk_core::tool::{ApprovalRule, Effect, ToolDef};
use serde::Serialize;

use super::new::{aligned, read_document};
use super::paint::Paint;
use super::{Exit, Setup};
use crate::manifests::ManifestReport;

#[derive(Args)]
#[command(
    after_help = "A rule is \"ROLE: TOOL\", e.g. \"Guest: delete_*\", or \"*: delete_* unasked\" for calls that nobody confirms.\nExample:\n  frontdesk check helpdesk --never \"Guest: *\""
)]
pub(super) struct Check {
    /// Only this assistant.
    assistant: Option<String>,
    /// A rule that must hold, besides the rules of manifests. Can be repeated.
    #[arg(long, value_name = "RULE")]
    never: Vec<Never>,
    #[arg(long)]
    json: bool,
}

/// Everything that is known about the assistants.
#[derive(Serialize)]
struct Findings {
    manifests: Vec<ManifestReport>,
    assistants: Vec<Matrix>,
    /// Differences between tools and the systems that they call, in sentences.
    drift: Vec<String>,
}

/// The callers of each tool of one assistant.
#[derive(Serialize)]
struct Matrix {
    assistant: String,
    title: String,
    /// The roles that the assistant names, in order.
    roles: Vec<String>,
    tools: Vec<ToolRow>,
    rules: Vec<RuleResult>,
}

#[derive(Serialize)]
struct ToolRow {
    tool: String,
    effect: Effect,
    consent: String,
    /// For each role, then for people without any of them: the phases in which the tool can be
    /// called.
    phases: Vec<Vec<String>>,
}

#[derive(Serialize)]
struct RuleResult {
    rule: String,
    /// `None` proves the rule.
    counterexample: Option<String>,
}

impl Check {
    pub(super) async fn run(self, setup: Setup) -> anyhow::Result<Exit> {
        let app = setup.open().await?;
        let installed = app.runtime.installed();
        let reports = app.manifests.reports();
        let asked = self.assistant.as_deref();
        if let Some(name) = asked
            && installed.assistant(name).is_none()
            && !reports.iter().any(|report| report.name == name)
        {
            let names: Vec<&str> = installed
                .assistants()
                .map(|one| one.name.as_ref())
                .collect();
            bail!(
                "there is no assistant named {name}; there are {}",
                names.join(", ")
            );
        }
        let is_asked = |name: &str| asked.is_none_or(|asked| asked == name);
        let loaded = app.manifests.loaded();
        let assistants = installed
            .assistants()
            .filter(|assistant| is_asked(&assistant.name))
            .map(|assistant| {
                let own = loaded
                    .iter()
                    .find(|one| one.assistant.name == assistant.name);
                let own = own
                    .map(|one| one.manifest.never.as_slice())
                    .unwrap_or_default();
                Matrix::of(assistant, own.iter().chain(&self.never))
            })
            .collect();
        let mut drift = Vec::new();
        for one in loaded.iter().filter(|one| is_asked(&one.assistant.name)) {
            for (name, client) in &one.sources {
                let found = compared(one, name, client).await.into_iter();
                let assistant = &one.assistant.name;
                drift.extend(found.map(|difference| format!("{assistant}: {difference}")));
            }
        }
        let findings = Findings {
            drift,
            manifests: reports
                .into_iter()
                .filter(|report| is_asked(&report.name))
                .collect(),
            assistants,
        };
        app.close().await;
        if self.json {
            println!("{}", serde_json::to_string_pretty(&findings)?);
        } else {
            findings.print();
        }
        Ok(if findings.all_hold() {
            Exit::Done
        } else {
            Exit::Failed
        })
    }
}

/// How the tools of a source differ from what it offers now.
async fn compared(one: &ManifestAssistant, name: &str, client: &SourceClient) -> Vec<String> {
    match client {
        SourceClient::Http(source) => {
            let Some(place) = &source.source().openapi else {
                return Vec::new();
            };
            // An address stays as it is; a file is in the assistant's folder.
            let place = match place.contains("://") {
                true => place.clone(),
                false => one.folder.join(place).display().to_string(),
            };
            let document = match read_document(&place).await {
                Ok((text, _)) => Document::parse(&text).map_err(|error| error.to_string()),
                Err(error) => Err(format!("{error:#}")),
            };
            match document {
                Ok(document) => one.drift(name, |tool| {
                    let operation = tool.operation();
                    operation.map_or(Vec::new(), |one| drift(&document, &one))
                }),
                Err(problem) => vec![format!("`source.{name}.openapi`: {problem}")],
            }
        }
        SourceClient::Mcp(client) => match client.tools().await {
            Ok(tools) => one.drift(name, |tool| {
                let operation = tool.mcp_operation();
                operation.map_or(Vec::new(), |one| mcp_drift(&tools, &one))
            }),
            Err(error) => vec![format!("`source.{name}`: {error}")],
        },
    }
}

impl Matrix {
    fn of<'a>(assistant: &Assistant, rules: impl Iterator<Item = &'a Never>) -> Self {
        let roles: BTreeSet<&Role> = assistant.roles_named().collect();
        let phases: Vec<Phase> = match assistant.phases.is_empty() {
            true => vec![Phase::DEFAULT],
            false => assistant
                .phases
                .iter()
                .map(|spec| spec.phase.clone())
                .collect(),
        };
        // Last: somebody without any of the roles.
        let holders: Vec<Option<&Role>> = roles.iter().copied().map(Some).chain([None]).collect();
        let row = |def: &ToolDef| ToolRow {
            tool: def.name.to_string(),
            effect: def.spec.effect,
            consent: consent(def),
            phases: holders
                .iter()
                .map(|role| reachable(assistant, def, *role, &phases))
                .collect(),
        };
        Self {
            assistant: assistant.name.to_string(),
            title: assistant.title.to_string(),
            roles: roles.iter().map(ToString::to_string).collect(),
            tools: assistant.toolbox.defs().map(row).collect(),
            rules: rules
                .map(|rule| RuleResult {
                    rule: rule.to_string(),
                    counterexample: rule
                        .counterexample(assistant)
                        .map(|example| example.to_string()),
                })
                .collect(),
        }
    }
}

/// The phases in which somebody with only this role can call a tool.
fn reachable(
    assistant: &Assistant,
    def: &ToolDef,
    role: Option<&Role>,
    phases: &[Phase],
) -> Vec<String> {
    let allows = |roles: &[Role]| roles.is_empty() || role.is_some_and(|role| roles.contains(role));
    if !allows(&assistant.roles) || !allows(&def.spec.roles) {
        return Vec::new();
    }
    let here = |phase: &&Phase| def.spec.phases.is_empty() || def.spec.phases.contains(phase);
    phases
        .iter()
        .filter(here)
        .map(ToString::to_string)
        .collect()
}

fn consent(def: &ToolDef) -> String {
    match &def.spec.approval {
        ApprovalRule::Always { approvers } if approvers.is_empty() => "always".to_owned(),
        ApprovalRule::Always { approvers } => {
            let names: Vec<&str> = approvers.iter().map(Role::as_str).collect();
            format!("always, by {}", names.join(" or "))
        }
        ApprovalRule::UnlessOrdered if def.spec.effect.writes() && !def.spec.undoable => {
            "unless ordered".to_owned()
        }
        ApprovalRule::UnlessOrdered => "never".to_owned(),
    }
}

fn in_words(effect: Effect) -> &'static str {
    match effect {
        Effect::Read => "read",
        Effect::Idempotent => "idempotent",
        Effect::Transactional => "transactional",
        Effect::AtMostOnce => "at most once",
    }
}

impl Findings {
    fn all_hold(&self) -> bool {
        let mut rules = self.assistants.iter().flat_map(|matrix| &matrix.rules);
        self.drift.is_empty()
            && self.manifests.iter().all(|report| report.problem.is_none())
            && rules.all(|rule| rule.counterexample.is_none())
    }

    fn print(&self) {
        let paint = Paint::for_stdout();
        for matrix in &self.assistants {
            println!("{} ({})", paint.bold(&matrix.title), matrix.assistant);
            matrix.print_table();
            for rule in &matrix.rules {
                match &rule.counterexample {
                    None => println!("  {} never {}", paint.good("✓"), rule.rule),
                    Some(example) => println!("  {} {example}", paint.bad("✗")),
                }
            }
            println!();
        }
        for difference in &self.drift {
            println!("{} {difference}", paint.bad("✗"));
        }
        if !self.manifests.is_empty() {
            super::reload::print(&self.manifests);
        }
    }
}

impl Matrix {
    fn print_table(&self) {
        let is_open = |row: &ToolRow| row.phases.last().is_some_and(|phases| !phases.is_empty());
        let others = self.tools.iter().any(is_open).then_some("everybody else");
        let roles = self.roles.iter().map(String::as_str).chain(others);
        let header = ["tool", "effect", "asks"].into_iter().chain(roles);
        let mut rows: Vec<Vec<String>> = vec![header.map(str::to_owned).collect()];
        let columns = rows[0].len();
        let all = self.tools.iter().flat_map(|row| &row.phases);
        let count = all.map(Vec::len).max();
        for row in &self.tools {
            let mut cells = vec![
                row.tool.clone(),
                in_words(row.effect).to_owned(),
                row.consent.clone(),
            ];
            cells.extend(row.phases.iter().map(|phases| match phases.len() {
                0 => "–".to_owned(),
                // In all phases.
                all if Some(all) == count => "yes".to_owned(),
                _ => phases.join(", "),
            }));
            cells.truncate(columns);
            rows.push(cells);
        }
        for line in aligned(rows) {
            println!("  {line}");
        }
    }
}
