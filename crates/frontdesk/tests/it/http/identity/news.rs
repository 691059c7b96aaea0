//! `/events`: a person's own changes as they happen, and nobody else's.

use std::time::Duration;

use frontdesk_testkit::model_server::say;
use reqwest::Method;
use serde_json::{Value, json};

use super::{company, join, profile, shared_conversation, somebody};
use crate::server::{Person, SseEvent, TestServer, parse_events};

/// A client that follows its events.
pub(crate) struct Reader {
    response: reqwest::Response,
    text: String,
    read: usize,
}

impl Reader {
    pub(crate) async fn open(server: &TestServer, who: &Person) -> Self {
        let response = server
            .request(Method::GET, "/events", Some(who))
            .send()
            .await
            .unwrap();
        assert_eq!(response.status(), 200);
        assert_eq!(response.headers()["cache-control"], "no-store");
        let mut reader = Self {
            response,
            text: String::new(),
            read: 0,
        };
        // The first event is always a snapshot; a second one may follow while the node starts to
        // listen.
        assert_eq!(reader.next().await.name, "snapshot");
        reader
    }

    /// The same once the node listens. Until then, which takes a moment on a busy machine, only a
    /// snapshot reports earlier changes.
    async fn listening(server: &TestServer, who: &Person) -> Self {
        let mut reader = Self::open(server, who).await;
        loop {
            let own = server.conversation(who).await;
            let told = async { while reader.next().await.data["conversation_id"] != json!(own) {} };
            if tokio::time::timeout(Duration::from_secs(1), told)
                .await
                .is_ok()
            {
                return reader;
            }
        }
    }

    pub(crate) async fn next(&mut self) -> SseEvent {
        let reading = async {
            loop {
                let events = parse_events(&self.text);
                // The last block may be incomplete.
                let whole = self.text.matches("\n\n").count().min(events.len());
                if whole > self.read {
                    self.read += 1;
                    return events[self.read - 1].clone();
                }
                let chunk = self
                    .response
                    .chunk()
                    .await
                    .unwrap()
                    .expect("the stream ended");
                self.text.push_str(std::str::from_utf8(&chunk).unwrap());
            }
        };
        tokio::time::timeout(Duration::from_secs(20), reading)
            .await
            .expect("no event came")
    }

    /// The next event of this name; snapshots are hints and may come at any time.
    async fn expect(&mut self, name: &str) -> Value {
        loop {
            let event = self.next().await;
            if event.name == name {
                return event.data;
            }
            assert_eq!(event.name, "snapshot", "{event:?} instead of {name}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_gets_events_of_their_own_and_their_companies_conversations() {
    for server in TestServer::on_both().await {
        let ann = somebody(&server, "ann");
        let acme = company(&server, &ann).await;
        let bob = join(&server, &ann, &acme, "bob").await;
        let eve = somebody(&server, "eve");
        let mut bobs = Reader::listening(&server, &bob).await;
        let mut eves = Reader::listening(&server, &eve).await;
        server.conversation(&ann).await;
        let id = shared_conversation(&server, &ann, &acme).await;
        let told = bobs.expect("conversation.changed").await;
        assert_eq!(
            told["conversation_id"],
            json!(id),
            "Ann's own is none of Bob's business"
        );
        server.model.script([say("Hi.")]);
        let said = server
            .post(
                &ann,
                &format!("/conversations/{id}/messages"),
                json!({ "content": "Hello" }),
            )
            .await;
        assert_eq!(said.status, 201);
        // Consecutive question and answer may share one notice.
        assert_eq!(
            bobs.expect("conversation.changed").await["conversation_id"],
            json!(id)
        );
        let own = server.conversation(&eve).await;
        assert_eq!(
            eves.expect("conversation.changed").await["conversation_id"],
            json!(own)
        );
        server.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn invitations_and_memberships_are_reported_and_change_the_stream() {
    for server in TestServer::on_both().await {
        let ann = somebody(&server, "ann");
        let acme = company(&server, &ann).await;
        let bob = somebody(&server, "bob");
        let mut bobs = Reader::listening(&server, &bob).await;
        join(&server, &ann, &acme, "bob").await;
        let invited = bobs.expect("notification").await;
        assert_eq!(invited, json!({ "kind": "invitation", "company_id": acme }));
        assert_eq!(bobs.expect("notification").await["kind"], "member.joined");
        // From now on the company's conversations reach him on the stream that is already open.
        let id = shared_conversation(&server, &ann, &acme).await;
        assert_eq!(
            bobs.expect("conversation.changed").await["conversation_id"],
            json!(id)
        );
        let bob_id = profile(&server, &bob).await;
        let path = format!("/companies/{acme}/members/{bob_id}");
        assert_eq!(
            server
                .send(Method::DELETE, &path, Some(&ann), None)
                .await
                .status,
            204
        );
        assert_eq!(bobs.expect("notification").await["kind"], "member.left");
        shared_conversation(&server, &ann, &acme).await;
        let own = server.conversation(&bob).await;
        let next = bobs.expect("conversation.changed").await;
        assert_eq!(next["conversation_id"], json!(own), "{next}");
        server.stop().await;
    }
}

/// H7 for this stream: it ends when its token expires.
#[tokio::test(flavor = "multi_thread")]
async fn events_end_with_the_sign_in_and_with_the_server() {
    for server in TestServer::on_both().await {
        let ann = somebody(&server, "ann");
        let mut short = Reader::open(&server, &ann).await;
        server.clock.advance(Duration::from_secs(3601));
        let ended = tokio::time::timeout(Duration::from_secs(10), async {
            while short.response.chunk().await.unwrap().is_some() {}
        });
        ended.await.expect("the stream outlived its token");
        let bob = somebody(&server, "bob");
        let Reader { response, .. } = Reader::open(&server, &bob).await;
        let reading = tokio::spawn(response.text());
        server.stop().await;
        assert!(reading.await.unwrap().unwrap().contains("event: shutdown"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_person_has_at_most_ten_streams() {
    for server in TestServer::on_both().await {
        let ann = somebody(&server, "ann");
        let mut open = Vec::new();
        for _ in 0..10 {
            open.push(Reader::open(&server, &ann).await);
        }
        let refused = server.get(&ann, "/events").await;
        assert_eq!(refused.status, 429, "{refused:?}");
        assert!(refused.headers.contains_key("retry-after"));
        // Other people are unaffected.
        Reader::open(&server, &somebody(&server, "bob")).await;
        drop(open);
        server.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn colleagues_hear_who_has_a_shared_conversation_open() {
    for server in TestServer::on_both().await {
        let ann = somebody(&server, "ann");
        let acme = company(&server, &ann).await;
        let bob = join(&server, &ann, &acme, "bob").await;
        let eve = somebody(&server, "eve");
        let id = shared_conversation(&server, &ann, &acme).await;
        let mut bobs = Reader::listening(&server, &bob).await;
        let path = format!("/conversations/{id}/presence");
        let here = json!({ "present": true, "asks": true });
        let said = server.post(&ann, &path, here.clone()).await;
        assert_eq!(said.status, 204, "{said:?}");
        let told = bobs.expect("presence").await;
        assert_eq!(told["conversation_id"], json!(id));
        assert_eq!(told["present"], true);
        assert_eq!(told["asks"], true);
        let gone = server.post(&ann, &path, json!({ "present": false })).await;
        assert_eq!(gone.status, 204);
        let told = bobs.expect("presence").await;
        assert_eq!(
            (&told["present"], &told["asks"]),
            (&json!(false), &json!(false))
        );
        // A stranger neither announces themselves nor learns that it exists.
        assert_eq!(server.post(&eve, &path, here.clone()).await.status, 403);
        // Nobody hears about a conversation of one's own.
        let own = server.conversation(&ann).await;
        let quiet = server
            .post(&ann, &format!("/conversations/{own}/presence"), here)
            .await;
        assert_eq!(quiet.status, 204);
        server.post(&ann, &path, json!({ "present": true })).await;
        assert_eq!(bobs.expect("presence").await["conversation_id"], json!(id));
        server.stop().await;
    }
}
