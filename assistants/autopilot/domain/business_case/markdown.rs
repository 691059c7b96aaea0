//! The business case as Markdown.

use super::super::shortlist;
use super::{BusinessCase, bars};

/// Words of people stand on one line and mean nothing to Markdown.
fn plain(text: &str) -> String {
    let line: Vec<&str> = text.split_whitespace().collect();
    let mut escaped = String::new();
    for c in line.join(" ").chars() {
        if matches!(c, '|' | '*' | '_' | '`' | '<' | '[' | ']' | '#' | '\\') {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

pub(super) fn write(case: &BusinessCase) -> String {
    let mut text = format!(
        "# {}\n\n**{}**\n",
        plain(&case.title()),
        plain(&case.headline())
    );
    for note in &case.notes {
        text.push_str(&format!("\n> {}\n", plain(note)));
    }
    text.push_str("\n## Figures\n\n| | |\n|---|---|\n");
    for (name, value) in case.figures() {
        text.push_str(&format!("| {name} | {value} |\n"));
    }
    text.push_str(&format!("\n```\n{}\n```\n", bars(&case.estimate.chart)));
    text.push_str("\n## If the assumptions are wrong\n\n| Change | To | Net a month | Payback |\n|---|---:|---:|---:|\n");
    for row in case.sensitivity() {
        text.push_str(&format!("| {} |\n", row.join(" | ")));
    }
    text.push_str("\n## Assumptions\n\n");
    for assumption in &case.estimate.factors_considered {
        text.push_str(&format!("- {}\n", plain(assumption)));
    }
    if !case.options.is_empty() {
        text.push_str(&format!(
            "\n## Shortlist (indicative prices)\n\n{}\n",
            shortlist::table(&case.options)
        ));
    }
    text.push_str("\n## What was said\n\n");
    for fact in &case.facts {
        text.push_str(&format!(
            "- {}: {} (“{}”)\n",
            fact.label,
            plain(&fact.value),
            plain(&fact.quote)
        ));
    }
    text.push_str("\n## Decision\n\n");
    let people: Vec<String> = case.stakeholders.iter().map(|name| plain(name)).collect();
    let people = if people.is_empty() {
        "not named yet".to_owned()
    } else {
        people.join(", ")
    };
    text.push_str(&format!("- Who decides: {people}\n"));
    text.push_str(&format!(
        "- Next step: {}\n",
        case.next_step.as_deref().unwrap_or("not agreed yet")
    ));
    text.push_str(&format!(
        "\nPrepared by {} on {} from the conversation “{}”: {}\n",
        plain(&case.prepared_by),
        case.prepared_at.format("%Y-%m-%d"),
        plain(&case.conversation_title),
        case.conversation_url
    ));
    text
}
