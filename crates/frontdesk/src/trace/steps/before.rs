//! Spans of the steps that earlier workers of a resumed turn took.

use frontdesk_core::event::{Entry, Event};

use super::spans::{millis, nanos};
use super::{Steps, flag};

impl Steps {
    /// Catches up with the journal of earlier workers. A worker that stopped for an approval exported
    /// its spans; one that crashed did not, so its steps are replayed end to end.
    pub(super) fn catch_up(&mut self, journal: &[Entry]) {
        let waited = matches!(
            journal.last().map(|entry| &entry.event),
            Some(Event::ApprovalRequested { .. } | Event::ApprovalDecided { .. })
        );
        let mut at = nanos(self.begun.since);
        for entry in journal {
            let event = &entry.event;
            if let Event::ApprovalRequested { card } = event {
                self.approvals.insert(card.call_id.clone(), card.clone());
            } else if let Event::ApprovalDecided {
                call_id, decision, ..
            } = event
            {
                self.decided(call_id, *decision);
            } else if let Event::ModelReplied { .. } = event {
                self.asked += 1;
            }
            if !waited && self.begun.collected {
                at = self.replay(event, at);
            }
        }
    }

    /// Adds the span of an earlier worker's step that starts at `at`, and returns its end.
    fn replay(&mut self, event: &Event, at: u64) -> u64 {
        let mut span;
        let end;
        if let Event::ModelReplied {
            finish,
            usage,
            model,
            duration_ms,
            ..
        } = event
        {
            let part = format!("model {}", self.asked);
            end = at.saturating_add(millis(*duration_ms));
            let name = model.clone().unwrap_or_default();
            span = self.span(&part, format!("chat {name}"), at, end);
            self.tell_reply(&mut span, finish, *usage, model.as_deref());
        } else if let Event::ToolFinished(finished) = event {
            let part = format!("tool {}", finished.call_id);
            end = at.saturating_add(millis(finished.duration_ms));
            let name = format!("execute_tool {}", self.tool_name(finished));
            span = self.span(&part, name, at, end);
            self.tell_tool(&mut span, finished);
        } else {
            return at;
        }
        span.attributes.push(flag("frontdesk.replayed", true));
        self.spans.push(span);
        end
    }
}
