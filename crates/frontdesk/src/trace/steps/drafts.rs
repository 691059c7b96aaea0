//! Model requests made by tools, as child spans of the call.

use std::time::Instant;

use frontdesk_core::draft::{DraftRecord, DraftSignal};
use frontdesk_core::model::Finish;

use super::super::span::span_id;
use super::spans::fail;
use super::{Measure, ModelRequest, Steps, names};

impl Steps {
    pub(in super::super) fn drafts(&mut self, call_id: &str, signal: &DraftSignal) {
        match signal {
            DraftSignal::Asked { model, .. } => {
                self.asked += 1;
                let asking = ModelRequest {
                    at: Instant::now(),
                    first: None,
                    model: model.clone(),
                };
                self.drafting.insert(call_id.to_owned(), asking);
            }
            DraftSignal::Text(_) => {
                if let Some(asking) = self.drafting.get_mut(call_id) {
                    asking.first.get_or_insert_with(Instant::now);
                }
            }
            DraftSignal::Answered(record) => self.drafted(call_id, record),
        }
    }

    fn drafted(&mut self, call_id: &str, record: &DraftRecord) {
        let Some(asking) = self.drafting.remove(call_id) else {
            return;
        };
        let now = Instant::now();
        self.keep(|steps| {
            let mut span = steps.model_span(&asking, now);
            span.parent = Some(span_id(steps.begun.turn, &format!("tool {call_id}")));
            span.text(names::TOOL_CALL, call_id);
            match &record.error {
                None => {
                    steps.tell_reply(&mut span, &Finish::Stop, record.usage, Some(&record.model));
                }
                Some(error) => fail(&mut span, error),
            }
            span
        });
        self.measures.push(Measure::Model {
            took: now - asking.at,
            first_token: asking.first.map(|first| first - asking.at),
            ok: record.error.is_none(),
        });
    }
}
