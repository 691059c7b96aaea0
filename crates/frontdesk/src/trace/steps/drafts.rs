//! Model requests made by tools, as child spans of the call.

use std::time::Instant;

use frontdesk_core::draft::{DraftRecord, DraftSignal};
use frontdesk_core::model::Finish;

use super::super::span::span_id;
use super::{ModelRequest, Steps, fail, text};

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
        self.keep_request(&asking, record.error.is_none(), |steps, span| {
            span.parent_span_id = span_id(steps.begun.turn, &format!("tool {call_id}"));
            span.attributes.push(text("gen_ai.tool.call.id", call_id));
            match &record.error {
                None => steps.tell_reply(span, &Finish::Stop, record.usage, Some(&record.model)),
                Some(error) => fail(span, error),
            }
        });
    }
}
