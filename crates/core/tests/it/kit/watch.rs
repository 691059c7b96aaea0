//! Live watchers of a turn, and a client that reads its stream.

use std::sync::Mutex;

use frontdesk_core::event::{Entry, Event, TurnObserver};
use frontdesk_core::id::TurnId;

#[derive(Default)]
pub(crate) struct Watchers {
    seen: Mutex<Vec<(TurnId, Entry)>>,
}

impl TurnObserver for Watchers {
    fn on_entry(&self, turn: TurnId, entry: &Entry) {
        self.seen.lock().unwrap().push((turn, entry.clone()));
    }
}

impl Watchers {
    pub(crate) fn seen(&self, turn: TurnId) -> Vec<Entry> {
        let seen = self.seen.lock().unwrap();
        let of_turn = seen.iter().filter(|(of, _)| *of == turn);
        of_turn.map(|(_, entry)| entry.clone()).collect()
    }
}

/// A client: applies new entries and keeps the text since the last reset.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reader {
    pub(crate) text: String,
    pub(crate) position: u64,
}

impl Reader {
    pub(crate) fn read(&mut self, entry: &Entry) {
        if entry.position <= self.position {
            return;
        }
        match &entry.event {
            Event::TextDelta { .. } => {
                if let Some(Entry {
                    event: Event::TextDelta { text },
                    ..
                }) = entry.clone().after(self.position)
                {
                    self.text.push_str(&text);
                }
            }
            Event::TextReset { .. } => self.text.clear(),
            Event::Snapshot(snapshot) => self.text.clone_from(&snapshot.text),
            Event::TurnStarted { .. }
            | Event::ModelReplied { .. }
            | Event::ToolStarted { .. }
            | Event::ToolProgress { .. }
            | Event::DraftDelta { .. }
            | Event::ToolFinished(_)
            | Event::ApprovalRequested { .. }
            | Event::ApprovalDecided { .. }
            | Event::ArtifactSaved { .. }
            | Event::PhaseChanged(_)
            | Event::SourceCited { .. }
            | Event::TurnCompleted(_)
            | Event::TurnFailed(_)
            | Event::TurnCancelled(_)
            | Event::TurnInterrupted(_) => {}
        }
        self.position = entry.position;
    }
}
