//! Something a test opens when it is ready for an answer to go on.

use std::sync::Arc;

use tokio::sync::watch;

/// Shut until opened, then open for ever.
#[derive(Clone, Debug)]
pub struct Gate(Arc<watch::Sender<bool>>);

impl Gate {
    pub fn shut() -> Self {
        Self(Arc::new(watch::Sender::new(false)))
    }

    pub fn open(&self) {
        self.0.send_replace(true);
    }

    pub async fn passed(&self) {
        // The sender lives in `self`, so that waiting cannot fail.
        let _ = self.0.subscribe().wait_for(|open| *open).await;
    }
}
