//! Requests to an upstream that is down are held back until it recovers.

use std::time::Duration;

use frontdesk_core::model::ModelErrorKind;
use frontdesk_testkit::model_server::{ModelServer, say, status};

use super::{Client, ManualClock, TestRequest};

// design: promises P14 upstream
#[tokio::test]
async fn retries_and_then_requests_pause_until_recovery() {
    let server = ModelServer::start().await;
    server.otherwise(status(503));
    let client = Client::at(server.url());
    let _still = ManualClock::begin();
    let mut refused = None;
    for _ in 0..30 {
        let before = server.request_count();
        let error = client.say(&TestRequest::new()).await.unwrap_err();
        assert_eq!(error.kind, ModelErrorKind::Unavailable);
        if server.request_count() == before {
            refused = error.retry_after;
        }
    }
    assert_eq!(
        refused,
        Some(Duration::from_secs(5)),
        "it says when to ask again"
    );
    assert_eq!(server.request_count(), 20, "as many as it takes to know");
    assert!(
        client.waits().len() <= 12,
        "ten saved up, and a fifth of the requests"
    );

    tokio::time::advance(Duration::from_secs(5)).await;
    client.say(&TestRequest::new()).await.unwrap_err();
    client.say(&TestRequest::new()).await.unwrap_err();
    assert_eq!(server.request_count(), 21, "one goes through to see");

    server.otherwise(say("Back."));
    tokio::time::advance(Duration::from_secs(5)).await;
    for _ in 0..3 {
        assert_eq!(client.say(&TestRequest::new()).await.unwrap().text, "Back.");
    }
    assert_eq!(server.request_count(), 24);
}

#[tokio::test]
async fn a_wrong_request_does_not_count_as_an_outage() {
    let server = ModelServer::start().await;
    server.otherwise(status(400));
    let client = Client::at(server.url());
    for _ in 0..30 {
        client.say(&TestRequest::new()).await.unwrap_err();
    }
    assert_eq!(server.request_count(), 30);
}
