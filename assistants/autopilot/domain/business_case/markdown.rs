//! The business case as Markdown.

use super::super::roi::NOT_COUNTED;
use super::super::shortlist;
use super::BusinessCase;

/// Text of people on one line, with the signs of Markdown escaped.
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

fn table(text: &mut String, heading: &str, head: &str, rows: Vec<Vec<String>>) {
    text.push_str(&format!("\n## {heading}\n\n{head}\n"));
    for row in rows {
        text.push_str(&format!("| {} |\n", row.join(" | ")));
    }
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
    table(
        &mut text,
        "Calculation",
        "| Step | Formula | Result |\n|---|---|---:|",
        case.steps(),
    );
    text.push_str("\n## Values and their sources\n\n");
    for line in case.estimate.input_lines() {
        text.push_str(&format!("- {}\n", plain(&line)));
    }
    text.push_str(&format!(
        "\n{} {NOT_COUNTED}\n",
        case.estimate.confidence_in_words()
    ));
    let points = case.estimate.chart.iter();
    let points = points.map(|one| {
        vec![
            one.month.to_string(),
            one.lease.dollars(),
            one.purchase.dollars(),
        ]
    });
    table(
        &mut text,
        "Gain or loss over time",
        "| Month | Leased | Bought |\n|---:|---:|---:|",
        points.collect(),
    );
    table(
        &mut text,
        "If a value is wrong",
        "| Change | Net a month | Payback |\n|---|---:|---:|",
        case.sensitivity(),
    );
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
    text.push_str(&format!("- Who decides: {}\n", plain(&case.people())));
    text.push_str(&format!("- Next step: {}\n", case.next()));
    text.push_str(&format!(
        "\nPrepared by {} on {} from the conversation “{}”: {}\n",
        plain(&case.prepared_by),
        case.prepared_at.format("%Y-%m-%d"),
        plain(&case.conversation_title),
        case.conversation_url
    ));
    text
}
