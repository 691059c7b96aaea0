//! What a golden conversation is played with: a model that says its lines, a clock that
//! stands still, somebody who watches.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use frontdesk_core::event::{Audience, Entry, Event};
use frontdesk_core::id::TurnId;
use frontdesk_core::model::{Ask, DeltaSink, Model, ModelError, Reply};
use frontdesk_core::world::World;
use futures_util::future::BoxFuture;
use uuid::Uuid;

use super::world::TestWorld;

/// A model that says the next line of the file.
#[derive(Default)]
pub(super) struct Script(pub(super) Mutex<VecDeque<Reply>>);

#[async_trait]
impl Model for Script {
    async fn reply(&self, _: Ask<'_>, sink: &mut dyn DeltaSink) -> Result<Reply, ModelError> {
        let reply = self
            .0
            .lock()
            .unwrap()
            .pop_front()
            .expect("the script has run dry");
        sink.text(&reply.text);
        Ok(reply)
    }
}

/// Time stands still for the engine; only the client of the API waits.
pub(super) struct StillWorld(pub(super) Arc<TestWorld>);

impl World for StillWorld {
    fn now(&self) -> DateTime<Utc> {
        self.0.now()
    }

    fn sleep(&self, _: Duration) -> BoxFuture<'static, ()> {
        Box::pin(std::future::pending())
    }

    fn id(&self) -> Uuid {
        Uuid::now_v7()
    }
}

/// Everything that happened in a turn, in order.
#[derive(Default)]
pub(super) struct Watcher(pub(super) Mutex<Vec<Event>>);

impl Audience for Watcher {
    fn see(&self, _: TurnId, entry: &Entry) {
        self.0.lock().unwrap().push(entry.event.clone());
    }
}
