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

pub(super) fn write(case: &BusinessCase) -> String {
    let mut text = format!(
        "# {}\n\n**{}**\n",
        plain(&case.title()),
        plain(&case.headline())
    );
    for note in &case.notes {
        text.push_str(&format!("\n> {}\n", plain(note)));
    }
    text.push_str("\n## Calculation\n\n| Step | Formula | Result |\n|---|---|---:|\n");
    for step in &case.estimate.derivation {
        let (label, formula) = (step.name.label(), &step.formula);
        text.push_str(&format!("| {label} | {formula} | {} |\n", step.result));
    }
    text.push_str("\n## Values and their sources\n\n");
    for line in case.estimate.input_lines() {
        text.push_str(&format!("- {}\n", plain(&line)));
    }
    text.push_str(&format!(
        "\n{} {NOT_COUNTED}\n",
        case.estimate.confidence_in_words()
    ));
    text.push_str("\n## Gain or loss over time\n\n| Month | Leased | Bought |\n|---:|---:|---:|\n");
    for point in &case.estimate.chart {
        let (lease, purchase) = (point.lease.dollars(), point.purchase.dollars());
        text.push_str(&format!("| {} | {lease} | {purchase} |\n", point.month));
    }
    text.push_str(
        "\n## If a value is wrong\n\n| Change | Net a month | Payback |\n|---|---:|---:|\n",
    );
    for row in case.sensitivity() {
        text.push_str(&format!("| {} |\n", row.join(" | ")));
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
