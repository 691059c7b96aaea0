//! What a worker that goes on with a turn tells of those before it.

use frontdesk_core::event::{Entry, Event};

use super::spans::{millis, nanos};
use super::{Attribute, Steps, names};

impl Steps {
    /// What is known of those who worked on it before. One that stopped to wait for people has
    /// told its part; one that died has told nothing, and its steps are laid end to end.
    pub(super) fn catch_up(&mut self, journal: &[Entry]) {
        let waited = matches!(
            journal.last().map(|entry| &entry.event),
            Some(Event::ApprovalRequested { .. } | Event::ApprovalDecided { .. })
        );
        let mut at = nanos(self.begun.since);
        for entry in journal {
            match &entry.event {
                Event::ModelReplied {
                    finish,
                    usage,
                    model,
                    duration_ms,
                    ..
                } => {
                    self.asked += 1;
                    if !waited && self.begun.collected {
                        let part = format!("model {}", self.asked);
                        let end = at.saturating_add(millis(*duration_ms));
                        let name = model.clone().unwrap_or_default();
                        let mut span = self.span(&part, format!("chat {name}"), at, end);
                        span.put(names::REPLAYED, Attribute::Flag(true));
                        self.tell_reply(&mut span, finish, *usage, model.as_deref());
                        self.spans.push(span);
                        at = end;
                    }
                }
                Event::ToolFinished(finished) if !waited && self.begun.collected => {
                    let part = format!("tool {}", finished.call_id);
                    let end = at.saturating_add(millis(finished.duration_ms));
                    let name = format!("execute_tool {}", self.tool_name(finished));
                    let mut span = self.span(&part, name, at, end);
                    span.put(names::REPLAYED, Attribute::Flag(true));
                    self.tell_tool(&mut span, finished);
                    self.spans.push(span);
                    at = end;
                }
                Event::ApprovalRequested { card } => {
                    self.approvals.insert(card.call_id.clone(), card.clone());
                }
                Event::ApprovalDecided {
                    call_id, decision, ..
                } => self.decided(call_id, *decision),
                Event::ToolFinished(_)
                | Event::TurnStarted { .. }
                | Event::TextDelta { .. }
                | Event::TextReset { .. }
                | Event::ToolStarted { .. }
                | Event::ToolProgress { .. }
                | Event::DraftDelta { .. }
                | Event::ArtifactSaved { .. }
                | Event::PhaseChanged(_)
                | Event::SourceCited { .. }
                | Event::TurnCompleted(_)
                | Event::TurnFailed(_)
                | Event::TurnCancelled(_)
                | Event::TurnInterrupted(_)
                | Event::Snapshot(_) => {}
            }
        }
    }
}
