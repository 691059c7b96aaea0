//! A gate that a test opens to let an answer continue.

use std::sync::Arc;

use tokio::sync::watch;

/// Shut until opened; never shuts again.
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
        // The sender lives in `self`, so waiting cannot fail.
        let _ = self.0.subscribe().wait_for(|open| *open).await;
    }
}
