//! Connections: kept for the next request, replaced when they are gone, closed when nobody needs them.

use std::time::Duration;

use frontdesk_testkit::model_server::{ModelServer, say};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::Instant;

use super::{Client, Talk};

#[tokio::test]
async fn requests_at_the_same_time_have_one_each_and_the_next_takes_one_of_them() {
    let server = ModelServer::start().await;
    server.otherwise(say("Hello."));
    let client = Client::at(server.url());
    let talk = Talk::new();
    let (first, second) = tokio::join!(client.say(&talk), client.say(&talk));
    let said = [first, second].map(|reply| reply.unwrap().text);
    assert_eq!(said, ["Hello.", "Hello."]);
    assert_eq!(server.connection_count(), 2);
    client.say(&talk).await.unwrap();
    assert_eq!(server.connection_count(), 2);
}

#[tokio::test]
async fn one_that_was_closed_while_it_rested_is_replaced_and_counts_as_no_attempt() {
    let (listener, client) = listening().await;
    let talk = Talk::new();
    for _ in 0..3 {
        let (reply, socket) = tokio::join!(client.say(&talk), answer(&listener));
        assert_eq!(reply.unwrap().text, "Hi.");
        drop(socket);
        news_arrive().await;
    }
    assert_eq!(client.waits(), Vec::<Duration>::new());
}

#[tokio::test(start_paused = true)]
async fn one_that_rests_for_long_is_closed() {
    let (listener, client) = listening().await;
    let talk = Talk::new();
    let (reply, mut socket) = tokio::join!(client.say(&talk), answer(&listener));
    assert_eq!(reply.unwrap().text, "Hi.");
    let answered = Instant::now();
    // Nothing moves the clock but timers: here that of the connection.
    assert_eq!(socket.read(&mut [0; 16]).await.unwrap(), 0, "it is closed");
    assert!(answered.elapsed() >= Duration::from_secs(60));
}

/// The runtime asks the system what became of its sockets every few dozen steps.
async fn news_arrive() {
    for _ in 0..256 {
        tokio::task::yield_now().await;
    }
}

async fn listening() -> (TcpListener, Client) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let client = Client::at(format!("http://{}/v1", listener.local_addr().unwrap()));
    (listener, client)
}

/// Answers the one request of a new connection, which stays open.
async fn answer(listener: &TcpListener) -> TcpStream {
    let (mut socket, _) = listener.accept().await.unwrap();
    let mut request = Vec::new();
    while !request.ends_with(b"]}") {
        assert_ne!(socket.read_buf(&mut request).await.unwrap(), 0);
    }
    let body = r#"{"choices":[{"message":{"content":"Hi."},"finish_reason":"stop"}]}"#;
    let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n", body.len());
    socket.write_all((head + body).as_bytes()).await.unwrap();
    socket
}
