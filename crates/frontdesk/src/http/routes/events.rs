//! A stream of a person's events from all nodes: changed conversations, cards, notifications.
//! Events carry ids only. After a gap the client gets a `snapshot` and reloads.

use axum::response::Response;
use axum::response::sse::Event as SseEvent;
use chrono::{DateTime, TimeDelta, Utc};
use frontdesk_core::access::{Membership, Principal};
use frontdesk_core::change_notice::{ApprovalStep, ChangeNotice};
use frontdesk_core::store::StoreError;
use futures_util::stream;
use serde_json::{Value, json};
use std::convert::Infallible;

use super::{ApiError, AppState, Caller, Content, Route};
use crate::http::stream::{StreamPermit, answer, expired, shutdown};
use crate::metrics::GaugeGuard;
use crate::runtime::{Delivery, Subscription};

/// Maximum age of the memberships that changes are filtered by.
const COMPANIES_KEPT: TimeDelta = TimeDelta::seconds(3);
/// More than the tabs a person has open.
const STREAMS_A_PERSON: usize = 10;

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::get("/events", follow)
            .named("follow_events", "events", "Stream my events")
            .about(
                "Server-sent events from all nodes: `snapshot` (numbers of waiting approvals and invitations; sent first and after a gap), `conversation.changed`, `approval.requested`, `approval.decided`, `notification` (`kind` invitation, member.joined or member.left), `presence` (a colleague opened or closed a conversation of the company) and `shutdown`. Events contain the ids of changed objects. At most 10 streams per person.",
            )
            .gives_content(200, "The stream", Content::PersonEvents)
            .refuses(&[429]),
    ]
}

async fn follow(Caller { state, who }: Caller) -> Result<Response, ApiError> {
    let permit = state
        .stream_limiter
        .take(who.profile().uuid(), STREAMS_A_PERSON)
        .ok_or_else(ApiError::too_many_streams)?;
    // Subscribes before the snapshot is read, so that no change in between is lost.
    let subscription = state.runtime().subscribe(&who);
    let present = state.runtime().metrics().stream();
    let follower = Follower {
        subscription,
        who,
        last_id: 0,
        next: Next::Snapshot,
        read_at: state.now(),
        state,
        _permit: permit,
        _present: present,
    };
    let events = stream::unfold(follower, |mut follower| async move {
        let event = follower.next().await?;
        Some((Ok::<_, Infallible>(event), follower))
    });
    Ok(answer(events))
}

struct Follower {
    subscription: Subscription,
    who: Principal,
    last_id: i64,
    next: Next,
    /// Time at which the companies of `who` were read.
    read_at: DateTime<Utc>,
    state: AppState,
    _permit: StreamPermit,
    _present: GaugeGuard,
}

enum Next {
    Snapshot,
    Listen,
    Nothing,
}

impl Follower {
    async fn next(&mut self) -> Option<SseEvent> {
        match self.next {
            Next::Nothing => None,
            Next::Snapshot => self.snapshot().await,
            Next::Listen => self.listen().await,
        }
    }

    /// Counts of waiting items, with fresh memberships.
    async fn snapshot(&mut self) -> Option<SseEvent> {
        match self.look().await {
            Ok(data) => {
                self.next = Next::Listen;
                Some(self.event("snapshot", &data))
            }
            Err(error) => {
                // The client reconnects.
                tracing::warn!("an event stream ended early: {error}");
                None
            }
        }
    }

    async fn look(&mut self) -> Result<Value, StoreError> {
        self.read_companies().await?;
        let now = self.state.now();
        let store = self.state.store();
        let approvals = store.pending(&self.who, now).await?;
        let invitations = store.received(&self.who, now).await?;
        Ok(json!({ "approvals": approvals.len(), "invitations": invitations.len() }))
    }

    /// Deleting a membership directly in the database sends no notice.
    fn companies_are_old(&self) -> bool {
        self.state.now() - self.read_at > COMPANIES_KEPT
    }

    async fn read_companies(&mut self) -> Result<(), StoreError> {
        self.read_at = self.state.now();
        let companies = self.state.store().companies(&self.who).await?;
        let memberships = companies
            .into_iter()
            .map(|company| Membership {
                company: company.id,
                standing: company.role,
            })
            .collect();
        self.who = self.who.clone().with_companies(memberships);
        self.subscription.add_companies(self.who.companies());
        Ok(())
    }

    async fn listen(&mut self) -> Option<SseEvent> {
        loop {
            let delivery = tokio::select! {
                delivery = self.subscription.next() => delivery,
                () = self.state.stopping.cancelled() => {
                    self.next = Next::Nothing;
                    return Some(shutdown());
                }
                () = expired(self.state.clone(), self.who.expires()) => return None,
            };
            match delivery {
                Delivery::Notice(notice) => {
                    let own = matches!(&*notice, ChangeNotice::Membership { profile, .. }
                        if *profile == self.who.profile());
                    // The notice about the loss of a membership still concerns its person.
                    let concerns = own && notice.concerns(&self.who);
                    if (own || self.companies_are_old()) && self.read_companies().await.is_err() {
                        return None;
                    }
                    let concerns = concerns || notice.concerns(&self.who);
                    if concerns {
                        let (name, data) = event_of(&notice);
                        return Some(self.event(name, &data));
                    }
                }
                Delivery::Gap => return self.snapshot().await,
            }
        }
    }

    /// Ids increase strictly, across streams as well.
    fn event(&mut self, name: &str, data: &Value) -> SseEvent {
        let now = self.state.now().timestamp_micros();
        self.last_id = now.max(self.last_id + 1);
        SseEvent::default()
            .id(self.last_id.to_string())
            .event(name)
            .data(data.to_string())
    }
}

fn event_of(notice: &ChangeNotice) -> (&'static str, Value) {
    match notice {
        ChangeNotice::Conversation { conversation, .. } => (
            "conversation.changed",
            json!({ "conversation_id": conversation }),
        ),
        ChangeNotice::Approval {
            step,
            conversation,
            turn,
            call_id,
            ..
        } => (
            match step {
                ApprovalStep::Requested => "approval.requested",
                ApprovalStep::Decided => "approval.decided",
            },
            json!({ "conversation_id": conversation, "turn_id": turn, "call_id": call_id }),
        ),
        ChangeNotice::Membership {
            profile,
            company,
            joined,
        } => (
            "notification",
            json!({
                "kind": if *joined { "member.joined" } else { "member.left" },
                "company_id": company,
                "profile_id": profile,
            }),
        ),
        ChangeNotice::Presence {
            conversation,
            profile,
            present,
            asks,
            ..
        } => (
            "presence",
            json!({ "conversation_id": conversation, "profile_id": profile, "present": present, "asks": asks }),
        ),
        ChangeNotice::Invitation { company, .. } => (
            "notification",
            json!({ "kind": "invitation", "company_id": company }),
        ),
    }
}
