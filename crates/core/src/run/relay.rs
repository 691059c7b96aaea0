//! Forwards a running call's progress and drafts to watchers.

use std::convert::Infallible;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use futures_util::future::{Either, select};
use tokio::sync::mpsc::UnboundedReceiver;

use super::Driver;
use crate::draft::DraftSignal;
use crate::event::Event;
use crate::model::Usage;

pub(super) struct Relay<'a> {
    driver: &'a Driver<'a>,
    call_id: &'a str,
    attempt: AtomicU32,
    usage: Mutex<Option<Usage>>,
}

impl<'a> Relay<'a> {
    pub(super) fn new(driver: &'a Driver<'a>, call_id: &'a str) -> Self {
        Self {
            driver,
            call_id,
            attempt: AtomicU32::new(0),
            usage: Mutex::new(None),
        }
    }

    /// Usage of the call's drafts so far.
    pub(super) fn usage(&self) -> Option<Usage> {
        *self.used()
    }

    /// Forwards signals as long as it is polled.
    pub(super) async fn pass_on(
        &self,
        progress: &mut UnboundedReceiver<String>,
        signals: &mut UnboundedReceiver<DraftSignal>,
    ) -> Infallible {
        let sentences = std::pin::pin!(async {
            while let Some(text) = progress.recv().await {
                self.tell_progress(text);
            }
            std::future::pending::<Infallible>().await
        });
        let drafts = std::pin::pin!(async {
            while let Some(signal) = signals.recv().await {
                self.tell_draft(signal);
            }
            std::future::pending::<Infallible>().await
        });
        match select(sentences, drafts).await {
            Either::Left((never, _)) | Either::Right((never, _)) => match never {},
        }
    }

    /// Forwards the signals that arrived just before the call ended.
    pub(super) fn pass_on_rest(
        &self,
        progress: &mut UnboundedReceiver<String>,
        signals: &mut UnboundedReceiver<DraftSignal>,
    ) {
        while let Ok(text) = progress.try_recv() {
            self.tell_progress(text);
        }
        while let Ok(signal) = signals.try_recv() {
            self.tell_draft(signal);
        }
    }

    fn used(&self) -> MutexGuard<'_, Option<Usage>> {
        self.usage.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tell_progress(&self, text: String) {
        self.driver.recorder.say(Event::ToolProgress {
            call_id: self.call_id.to_owned(),
            text,
        });
    }

    fn tell_draft(&self, signal: DraftSignal) {
        let observer = &self.driver.engine.observer;
        observer.on_draft(self.driver.turn.id(), self.call_id, &signal);
        match signal {
            DraftSignal::Asked { attempt, .. } => self.attempt.store(attempt, Ordering::Relaxed),
            DraftSignal::Text(text) => self.driver.recorder.show_only(Event::DraftDelta {
                call_id: self.call_id.to_owned(),
                attempt: self.attempt.load(Ordering::Relaxed),
                text,
            }),
            DraftSignal::Answered(record) => {
                let mut usage = self.used();
                *usage = Some(usage.unwrap_or_default().plus(record.usage));
            }
        }
    }
}
