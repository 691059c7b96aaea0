//! `frontdesk audit`: who did what to which object, who requested it and who approved it.

use clap::Args;
use frontdesk_core::store::{AuditOutcome, AuditRow};
use serde_json::{Value, json};

use super::{DefaultPerson, Exit, Setup, print_json};

#[derive(Args)]
#[command(
    after_help = "Examples:\n  frontdesk audit\n  frontdesk audit --tool reject_pass --limit 20\n  frontdesk audit --as PERSONA --json\n\nNewest first. Rows outlive their conversation."
)]
pub(super) struct Audit {
    /// Only this tool.
    #[arg(long)]
    tool: Option<String>,
    /// Number of rows, 1 to 100.
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=100))]
    limit: u32,
    /// Demo persona to act as. Default: all rows, unless --server names a server.
    #[arg(long = "as", value_name = "PERSONA")]
    persona: Option<String>,
    #[arg(long)]
    json: bool,
}

impl Audit {
    pub(super) async fn run(self, setup: Setup) -> anyhow::Result<Exit> {
        let connection = setup
            .connect(self.persona.as_deref(), DefaultPerson::Operator)
            .await?;
        let mut path = format!("/audit?limit={}", self.limit);
        if let Some(tool) = &self.tool {
            path.push_str(&format!("&tool={tool}"));
        }
        let rows = connection.remote.list(&path).await?;
        connection.close().await;
        let items: Vec<AuditRow> = serde_json::from_value(Value::Array(rows))?;
        if self.json {
            return print_json(&json!({ "items": items }));
        }
        if items.is_empty() {
            println!("The audit log is empty.");
        }
        for row in &items {
            println!("{}", in_words(row));
        }
        Ok(Exit::Done)
    }
}

/// For example "2026-11-18 06:00:00  reject_pass GP-2026-0012: declined by Omar Farooq, asked for
/// by Hana".
fn in_words(row: &AuditRow) -> String {
    let person = |name: &Option<String>, id: String| name.clone().unwrap_or(id);
    let at = row.at.format("%Y-%m-%d %H:%M:%S");
    let target = row.target.as_deref().map(|target| format!(" {target}"));
    // "Rejected" could be read as the pass being rejected.
    let outcome = if row.outcome == AuditOutcome::Rejected {
        "declined".to_owned()
    } else {
        row.outcome.as_str().replace('_', " ")
    };
    let requester = person(&row.profile_name, row.profile.to_string());
    let decision = match row.approver {
        None => String::new(),
        Some(id) => {
            let decider = person(&row.approver_name, id.to_string());
            match row.outcome {
                AuditOutcome::Approved | AuditOutcome::Rejected => format!(" by {decider}"),
                AuditOutcome::Executed
                | AuditOutcome::Denied
                | AuditOutcome::ApprovalRequested
                | AuditOutcome::Expired
                | AuditOutcome::Failed
                | AuditOutcome::Unknown
                | AuditOutcome::Erased => format!(", approved by {decider}"),
            }
        }
    };
    let tool = &row.tool;
    let target = target.unwrap_or_default();
    format!("{at}  {tool}{target}: {outcome}{decision}, asked for by {requester}")
}

#[cfg(test)]
#[path = "audit_tests.rs"]
mod audit_tests;
