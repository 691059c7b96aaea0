//! What concerns me, as it happens, on whichever node: conversations that changed, cards to
//! decide, notifications. Events are hints with ids in them; a reader that was away is told
//! with `snapshot` where things stand, and looks again.

use std::convert::Infallible;

use axum::extract::State;
use axum::response::Response;
use axum::response::sse::Event as SseEvent;
use chrono::{DateTime, TimeDelta, Utc};
use frontdesk_core::access::{Membership, Principal};
use frontdesk_core::news::{ApprovalStep, News};
use frontdesk_core::store::{Companies, Invitations, StoreError};
use frontdesk_store::Heard;
use futures_util::stream;
use serde_json::{Value, json};

use crate::desk::NewsBox;
use crate::http::Shared;
use crate::http::caller::Caller;
use crate::http::error::ApiError;
use crate::http::route::{Content, Route};
use crate::http::stream::{Seat, answer, expired, shutdown};
use crate::metrics::Present;

/// How long news are matched against companies that were read before.
const COMPANIES_KEPT: TimeDelta = TimeDelta::seconds(3);
/// More than a person has tabs open.
const STREAMS_A_PERSON: usize = 10;

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::get("/events", follow)
            .named("follow_events", "events", "What concerns me, as it happens")
            .about(
                "Server-sent events from every node: `snapshot` (how many approvals and invitations wait; sent first and after a gap), `conversation.changed`, `approval.requested`, `approval.decided`, `notification` (`kind` invitation, member.joined or member.left) and `shutdown`. Each has ids to look at; at most 10 streams a person.",
            )
            .gives_content(200, "The stream", Content::PersonEvents)
            .refuses(&[429]),
    ]
}

pub(in crate::http) async fn follow(
    State(shared): State<Shared>,
    Caller(who): Caller,
) -> Result<Response, ApiError> {
    let seat = shared
        .seats
        .take(who.profile().uuid(), STREAMS_A_PERSON)
        .ok_or_else(ApiError::too_many_streams)?;
    // Heard from here on: what happens while the snapshot is made is told after it.
    let heard = shared.desk.hear(&who);
    let present = shared.desk.metrics().stream();
    let follower = Follower {
        heard,
        who,
        last_id: 0,
        next: Next::Snapshot,
        read_at: shared.world.now(),
        shared,
        _seat: seat,
        _present: present,
    };
    let events = stream::unfold(follower, |mut follower| async move {
        let event = follower.next().await?;
        Some((Ok::<_, Infallible>(event), follower))
    });
    Ok(answer(events))
}

struct Follower {
    heard: NewsBox,
    who: Principal,
    last_id: i64,
    next: Next,
    /// When the companies of `who` were read.
    read_at: DateTime<Utc>,
    shared: Shared,
    _seat: Seat,
    _present: Present,
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

    /// Where things stand, with the companies as they are now.
    async fn snapshot(&mut self) -> Option<SseEvent> {
        match self.look().await {
            Ok(data) => {
                self.next = Next::Listen;
                Some(self.event("snapshot", &data))
            }
            Err(error) => {
                // The reader comes back.
                tracing::warn!("a stream of news ended early: {error}");
                None
            }
        }
    }

    async fn look(&mut self) -> Result<Value, StoreError> {
        self.read_companies().await?;
        let now = self.shared.world.now();
        let store = self.shared.desk.store();
        let approvals = frontdesk_core::store::Approvals::pending(store, &self.who, now).await?;
        let invitations = store.received(&self.who, now).await?;
        Ok(json!({ "approvals": approvals.len(), "invitations": invitations.len() }))
    }

    /// A membership may be deleted in the database itself, which tells nobody.
    fn companies_are_old(&self) -> bool {
        self.shared.world.now() - self.read_at > COMPANIES_KEPT
    }

    async fn read_companies(&mut self) -> Result<(), StoreError> {
        self.read_at = self.shared.world.now();
        let companies = self.shared.desk.store().companies(&self.who).await?;
        let memberships = companies
            .into_iter()
            .map(|company| Membership {
                company: company.id,
                standing: company.role,
            })
            .collect();
        self.who = self.who.clone().with_companies(memberships);
        self.heard.hear_of(self.who.companies());
        Ok(())
    }

    async fn listen(&mut self) -> Option<SseEvent> {
        loop {
            let heard = tokio::select! {
                heard = self.heard.next() => heard,
                () = self.shared.stopping.cancelled() => {
                    self.next = Next::Nothing;
                    return Some(shutdown());
                }
                // What a token proved counts as long as the token.
                () = expired(self.shared.clone(), self.who.expires()) => return None,
            };
            match heard {
                Heard::News(news) => {
                    let own = matches!(&news, News::Membership { profile, .. }
                        if *profile == self.who.profile());
                    // The receiver of this notice was a member until now.
                    let concerns = own && news.concerns(&self.who);
                    if (own || self.companies_are_old()) && self.read_companies().await.is_err() {
                        return None;
                    }
                    let concerns = concerns || news.concerns(&self.who);
                    if concerns {
                        let (name, data) = told(&news);
                        return Some(self.event(name, &data));
                    }
                }
                Heard::Gap => return self.snapshot().await,
            }
        }
    }

    /// Ids rise strictly, also from one stream to the next.
    fn event(&mut self, name: &str, data: &Value) -> SseEvent {
        let now = self.shared.world.now().timestamp_micros();
        self.last_id = now.max(self.last_id + 1);
        SseEvent::default()
            .id(self.last_id.to_string())
            .event(name)
            .data(data.to_string())
    }
}

fn told(news: &News) -> (&'static str, Value) {
    match news {
        News::Conversation { conversation, .. } => (
            "conversation.changed",
            json!({ "conversation_id": conversation }),
        ),
        News::Approval {
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
        News::Membership {
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
        News::Invitation { company, .. } => (
            "notification",
            json!({ "kind": "invitation", "company_id": company }),
        ),
    }
}
