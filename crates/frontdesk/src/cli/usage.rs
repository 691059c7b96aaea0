//! `frontdesk usage`: tokens and their cost by day, person, company or assistant.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use clap::{Args, ValueEnum};

use super::{DefaultPerson, Exit, Setup, print_json};
use crate::http::{UsageEntry, UsageResponse, UsageTotal};

#[derive(Args)]
#[command(
    after_help = "Examples:\n  frontdesk usage\n  frontdesk usage --by assistant --from 2026-11-01\n  frontdesk usage --as PERSONA --json\n\nToken counts come from the provider; ~ marks estimates for turns without them.\nCosts need model.price_input and model.price_output."
)]
pub(super) struct Usage {
    /// First day (UTC). Default: 29 days before the last day.
    #[arg(long)]
    from: Option<NaiveDate>,
    /// Last day (UTC). Default: today.
    #[arg(long)]
    to: Option<NaiveDate>,
    /// Only this assistant.
    #[arg(long)]
    assistant: Option<String>,
    /// Grouping of the rows.
    #[arg(long, value_enum, default_value_t = By::Day)]
    by: By,
    /// Demo persona to act as. Default: everyone's usage, unless --server names a server.
    #[arg(long = "as", value_name = "PERSONA")]
    persona: Option<String>,
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum By {
    Day,
    Assistant,
    Person,
    Company,
}

impl Usage {
    pub(super) async fn run(self, setup: Setup) -> anyhow::Result<Exit> {
        let connection = setup
            .connect(self.persona.as_deref(), DefaultPerson::Operator)
            .await?;
        let report = connection
            .remote
            .get(&format!("/usage{}", self.query()))
            .await?;
        let report: UsageResponse = serde_json::from_value(report)?;
        connection.close().await;
        if self.json {
            return print_json(&report);
        }
        self.print(&report);
        Ok(Exit::Done)
    }

    fn query(&self) -> String {
        let days = [("from", self.from), ("to", self.to)];
        let days = days.map(|(name, day)| day.map(|day| format!("{name}={day}")));
        let assistant = self
            .assistant
            .as_ref()
            .map(|name| format!("assistant={name}"));
        let all: Vec<String> = days.into_iter().chain([assistant]).flatten().collect();
        match all.is_empty() {
            true => String::new(),
            false => format!("?{}", all.join("&")),
        }
    }

    fn print(&self, report: &UsageResponse) {
        let mut sums: BTreeMap<String, Vec<UsageEntry>> = BTreeMap::new();
        for UsageEntry { row, cost } in &report.items {
            let key = match self.by {
                By::Day => row.day.to_string(),
                By::Assistant => row.assistant.clone(),
                By::Person => row.profile_id.to_string(),
                By::Company => match row.company_id {
                    Some(company) => company.to_string(),
                    None => "(no company)".to_owned(),
                },
            };
            sums.entry(key).or_default().push(UsageEntry {
                row: row.clone(),
                cost: *cost,
            });
        }
        let width = sums.keys().map(String::len).max().unwrap_or(0).max(10);
        println!(
            "{:<width$} {:>8} {:>12} {:>12} {:>12} {:>10}",
            "", "turns", "tokens in", "cached", "tokens out", "cost"
        );
        for (key, rows) in &sums {
            line(key, width, &UsageTotal::of(rows));
        }
        line("total", width, &report.total);
        if report.total.estimated_turns > 0 {
            let turns = report.total.estimated_turns;
            println!("~ {turns} turns are estimates: the provider reported no token counts.");
        }
    }
}

fn line(name: &str, width: usize, sum: &UsageTotal) {
    let mark = if sum.estimated_turns > 0 { "~" } else { "" };
    let tokens = |number: u64| format!("{mark}{number}");
    let cost = match sum.cost {
        Some(cost) => format!("{mark}{cost:.4}"),
        None => "-".to_owned(),
    };
    println!(
        "{name:<width$} {:>8} {:>12} {:>12} {:>12} {cost:>10}",
        sum.turns,
        tokens(sum.input_tokens),
        tokens(sum.cached_tokens),
        tokens(sum.output_tokens),
    );
}
