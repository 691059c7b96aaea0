//! Renders a journal as text that tests compare.

use frontdesk_core::event::{Entry, Event, Finished};

/// One line per public event.
pub(crate) fn journal(entries: &[Entry]) -> String {
    let lines: Vec<String> = entries
        .iter()
        .filter_map(|entry| line(&entry.event))
        .collect();
    lines.join("\n")
}

/// Compares a journal with the expected text, ignoring indentation.
#[track_caller]
pub(crate) fn check(entries: &[Entry], expected: &str) {
    let expected: Vec<&str> = expected
        .lines()
        .map(str::trim)
        .filter(|l| !l.is_empty())
        .collect();
    let actual = journal(entries);
    assert_eq!(
        actual,
        expected.join("\n"),
        "\n--- the journal:\n{actual}\n"
    );
}

fn line(event: &Event) -> Option<String> {
    let text = match event {
        Event::ModelReplied { .. } => return None,
        Event::TurnStarted { .. } => String::new(),
        Event::TextDelta { text } => format!("{text:?}"),
        Event::TextReset { .. } => String::new(),
        Event::ToolStarted {
            name, arguments, ..
        } => format!("{name} {arguments}"),
        Event::ToolProgress { call_id, text } | Event::DraftDelta { call_id, text, .. } => {
            format!("{call_id}: {text}")
        }
        Event::ToolFinished(finished) => return Some(finished_line(finished)),
        Event::ApprovalRequested { card } => format!("{} {}", card.tool, card.arguments),
        Event::ApprovalDecided {
            call_id,
            decision,
            by,
            ..
        } => {
            format!(
                "{call_id}: {decision:?} by {}",
                by.as_deref().unwrap_or("nobody")
            )
        }
        Event::ArtifactSaved { mark, .. } => {
            format!("{} v{} {:?}", mark.kind, mark.version, mark.status)
        }
        Event::PhaseChanged(change) => {
            format!("{} → {}: {}", change.from, change.to, change.reason)
        }
        Event::Snapshot(snapshot) => format!("{:?}", snapshot.text),
        Event::SourceCited { source } => format!("{} {}", source.title, source.score),
        Event::TurnCompleted(ended)
        | Event::TurnFailed(ended)
        | Event::TurnCancelled(ended)
        | Event::TurnInterrupted(ended) => ended.outcome.as_str().to_owned(),
    };
    Some(format!("{} {text}", event.name()).trim_end().to_owned())
}

fn finished_line(finished: &Finished) -> String {
    const SHOWN: usize = 110;
    let how = match (finished.ok, finished.refused, finished.error) {
        (true, _, _) => "ok".to_owned(),
        (false, Some(reason), _) => format!("{reason:?}"),
        (false, None, Some(error)) => format!("{error:?}"),
        (false, None, None) => "not ok".to_owned(),
    };
    let told: String = finished.told.chars().take(SHOWN).collect();
    format!("tool.finished {} {how}: {told}", finished.name)
}
