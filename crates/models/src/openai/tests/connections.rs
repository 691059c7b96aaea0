//! Connections are reused, replaced after a loss, and closed when idle.

use std::time::Duration;

use frontdesk_testkit::model_server::{ModelServer, say};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::Instant;

use super::{Client, TestRequest};

#[tokio::test]
async fn concurrent_requests_have_one_connection_each_and_the_next_reuses_one() {
    let server = ModelServer::start().await;
    server.otherwise(say("Hello."));
    let client = Client::at(server.url());
    let request = TestRequest::new();
    let (first, second) = tokio::join!(client.say(&request), client.say(&request));
    let said = [first, second].map(|reply| reply.unwrap().text);
    assert_eq!(said, ["Hello.", "Hello."]);
    assert_eq!(server.connection_count(), 2);
    client.say(&request).await.unwrap();
    assert_eq!(server.connection_count(), 2);
}

#[tokio::test]
async fn a_connection_closed_while_idle_is_replaced_without_an_attempt() {
    let (listener, client) = listening().await;
    let request = TestRequest::new();
    for _ in 0..3 {
        let (reply, socket) = tokio::join!(client.say(&request), answer(&listener));
        assert_eq!(reply.unwrap().text, "Hi.");
        drop(socket);
        poll_sockets().await;
    }
    assert_eq!(client.waits(), Vec::<Duration>::new());
}

#[tokio::test(start_paused = true)]
async fn a_long_idle_connection_is_closed() {
    let (listener, client) = listening().await;
    let request = TestRequest::new();
    let (reply, mut socket) = tokio::join!(client.say(&request), answer(&listener));
    assert_eq!(reply.unwrap().text, "Hi.");
    let answered = Instant::now();
    // Only timers advance the clock: here the connection's own.
    assert_eq!(socket.read(&mut [0; 16]).await.unwrap(), 0, "it is closed");
    assert!(answered.elapsed() >= Duration::from_secs(60));
}

/// Yields until the runtime has polled its sockets, which it does every few dozen steps.
async fn poll_sockets() {
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
