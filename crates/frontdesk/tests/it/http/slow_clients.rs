//! Clients that are slow, never finish, never read, or speak another protocol: each is
//! disconnected, and other clients are unaffected.

use std::time::Duration;

use frontdesk_testkit::model_server::say;
use futures_util::future::join_all;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::timeout;

use crate::harness::{BOTH, Backing};
use crate::server::{Person, TestServer};

/// Well above every server timeout; a server that waits indefinitely fails here.
const FOR_EVER: Duration = Duration::from_secs(60);
const BETWEEN_BYTES: Duration = Duration::from_millis(20);

const IMPATIENT: &[(&str, &str)] = &[
    ("limits.header_seconds", "1"),
    ("limits.body_seconds", "1"),
    ("limits.reader_seconds", "1"),
];

fn address(server: &TestServer) -> String {
    server.url.strip_prefix("http://").unwrap().to_owned()
}

/// Sends `head`, then single bytes until the connection closes. Returns the response.
async fn dribble(address: &str, head: &str, byte: u8) -> String {
    let (mut read, mut write) = TcpStream::connect(address).await.unwrap().into_split();
    write.write_all(head.as_bytes()).await.unwrap();
    let dribbling = tokio::spawn(async move {
        while write.write_all(&[byte]).await.is_ok() {
            tokio::time::sleep(BETWEEN_BYTES).await;
        }
    });
    let mut said = Vec::new();
    // A reset after the response also counts as an end.
    let ended = timeout(FOR_EVER, read.read_to_end(&mut said)).await;
    assert!(ended.is_ok(), "the connection is still open");
    dribbling.abort();
    String::from_utf8_lossy(&said).into_owned()
}

fn head(server: &TestServer, who: &Person, line: &str, more: &str) -> String {
    format!(
        "{line} HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {}\r\n{more}\r\n",
        address(server),
        who.token
    )
}

/// The error in a raw HTTP response.
fn error_in(said: &str) -> Value {
    let body = said.split_once("\r\n\r\n").unwrap().1;
    serde_json::from_str::<Value>(body).unwrap()["error"].take()
}

async fn figure(server: &TestServer, name: &str) -> u64 {
    let page = server.client.get(format!("{}/metrics", server.url)).send();
    let page = page.await.unwrap().text().await.unwrap();
    let line = page.lines().find_map(|line| line.strip_prefix(name));
    line.unwrap_or_else(|| panic!("no {name} in {page}"))
        .trim()
        .parse()
        .unwrap()
}

/// F10: headers that arrive byte by byte and never end.
// design: promises F10
#[tokio::test(flavor = "multi_thread")]
async fn slow_headers_are_cut_off() {
    let server = TestServer::start_with(Backing::Sqlite, IMPATIENT).await;
    let begun = format!(
        "GET /healthz HTTP/1.1\r\nhost: {}\r\nx-slow: ",
        address(&server)
    );
    let said = dribble(&address(&server), &begun, b'a').await;
    assert!(!said.starts_with("HTTP/1.1 2"), "{said}");
    server.stop().await;
}

/// F10: a body that arrives too slowly, or never, gets a 408 and is disconnected; the request
/// changes nothing.
// design: promises E14, F10
#[tokio::test(flavor = "multi_thread")]
async fn a_body_that_does_not_arrive_in_time_is_a_408() {
    for backing in BOTH {
        let server = TestServer::start_with(backing, IMPATIENT).await;
        let who = server.sign_in("reader");
        let id = server.conversation(&who).await;
        let json = "content-type: application/json\r\ncontent-length: 5000\r\n";
        let form = "content-type: multipart/form-data; boundary=b\r\ncontent-length: 5000\r\n";
        let bodies = [
            ("POST /api/v1/conversations".to_owned(), json),
            (format!("POST /api/v1/conversations/{id}/messages"), json),
            ("POST /api/v1/companies".to_owned(), json),
            ("POST /api/v1/attachments".to_owned(), form),
        ];
        let slow = bodies.into_iter().map(async |(line, more)| {
            let head = head(&server, &who, &line, more);
            let said = dribble(&address(&server), &head, b' ').await;
            (line, said)
        });
        for (line, said) in join_all(slow).await {
            assert!(said.starts_with("HTTP/1.1 408"), "{line}: {said}");
            let error = error_in(&said);
            assert_eq!(error["code"], "REQUEST_TIMEOUT", "{line}: {said}");
            assert!(error["request_id"].is_string(), "{line}: {said}");
            let told = error["message"].as_str().unwrap();
            assert!(told.contains("send it again"), "{told}");
        }
        let silent = head(&server, &who, "POST /api/v1/companies", json);
        let mut stream = TcpStream::connect(address(&server)).await.unwrap();
        stream.write_all(silent.as_bytes()).await.unwrap();
        let mut said = Vec::new();
        let ended = timeout(FOR_EVER, stream.read_to_end(&mut said)).await;
        assert!(ended.is_ok(), "the connection is still open");
        assert!(said.starts_with(b"HTTP/1.1 408"), "{said:?}");

        assert!(server.list(&who, "/companies").await.is_empty());
        let messages = format!("/conversations/{id}/messages");
        let messages = server.get(&who, &messages).await.body;
        assert_eq!(messages["items"], json!([]));
        let hits = r#"frontdesk_limit_hits_total{limit="slow_body"}"#;
        assert_eq!(figure(&server, hits).await, 5);
        server.stop().await;
    }
}

/// F11: requests that two parsers could read differently.
// design: promises F11
#[tokio::test(flavor = "multi_thread")]
async fn ambiguous_requests_are_refused() {
    for server in TestServer::on_both().await {
        let host = address(&server);
        let who = server.sign_in("reader");
        let get = |more: &str| format!("GET /healthz HTTP/1.1\r\nhost: {host}\r\n{more}\r\n");
        for (what, request) in [
            ("a folded header", get("x-a: b\r\n c\r\n")),
            ("a folded header with a tab", get("x-a: b\r\n\tc\r\n")),
            ("HTTP/0.9", "GET /healthz\r\n\r\n".to_owned()),
            ("a space before the colon", get("x-a : b\r\n")),
            (
                "two lengths",
                get("content-length: 3\r\ncontent-length: 4\r\n"),
            ),
            ("a length that is none", get("content-length: +3\r\n")),
            (
                "a coding that is not ours",
                get("transfer-encoding: xchunked\r\n"),
            ),
            ("a control character", get("x-a: b\u{1}\r\n")),
            ("nonsense", "\u{1}\u{2}\u{3}\r\n\r\n".to_owned()),
        ] {
            // The sender gets an error, and nothing after the request is read.
            let request = format!("{request}{}", get(""));
            let said = exchange(&host, request.as_bytes()).await;
            assert!(said.starts_with("HTTP/1.1 400"), "{what}: {said}");
            assert_eq!(said.matches("HTTP/1.1").count(), 1, "{what}: {said}");
        }
        // Chunked encoding overrides the length: the next request follows the chunks.
        let body = json!({ "assistant": "notes", "title": "Chunked" }).to_string();
        let more =
            "content-type: application/json\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n";
        let both = head(&server, &who, "POST /api/v1/conversations", more);
        let request = format!(
            "{both}{:x}\r\n{body}\r\n0\r\n\r\n{}",
            body.len(),
            get("connection: close\r\n")
        );
        let said = exchange(&host, request.as_bytes()).await;
        assert!(said.starts_with("HTTP/1.1 201"), "{said}");
        assert!(said.contains("Chunked"), "{said}");
        // The parser accepts bare line feeds as line ends, and as nothing else.
        let bare = format!("GET /healthz HTTP/1.1\nhost: {host}\nconnection: close\n\n");
        let said = exchange(&host, bare.as_bytes()).await;
        assert!(said.starts_with("HTTP/1.1 200"), "{said}");
        server.stop().await;
    }
}

/// Sends these bytes and reads until the server closes the connection, which it must.
async fn exchange(address: &str, bytes: &[u8]) -> String {
    let (mut read, mut write) = TcpStream::connect(address).await.unwrap().into_split();
    // The server may close the connection before everything is sent.
    let _ = write.write_all(bytes).await;
    let mut said = Vec::new();
    let ended = timeout(FOR_EVER, read.read_to_end(&mut said)).await;
    assert!(ended.is_ok(), "the connection is still open");
    String::from_utf8_lossy(&said).into_owned()
}

/// F15: the server does not speak HTTP/2, so floods of its frames (rapid reset, empty frames) have
/// no effect.
// design: promises F15
#[tokio::test(flavor = "multi_thread")]
async fn floods_of_http2_frames_have_no_effect() {
    let server = TestServer::start(Backing::Sqlite).await;
    let host = address(&server);
    // HEADERS and RST_STREAM of one stream after the other, and empty DATA frames.
    let mut flood = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec();
    flood.extend([0, 0, 0, 4, 0, 0, 0, 0, 0]);
    for stream in (1_u32..4_000).step_by(2) {
        let id = stream.to_be_bytes();
        flood.extend([&[0, 0, 1, 1, 4][..], &id, &[0x82]].concat());
        flood.extend([&[0, 0, 4, 3, 0][..], &id, &[0, 0, 0, 8]].concat());
        flood.extend([&[0, 0, 0, 0, 0][..], &id].concat());
    }
    let before = resident();
    for _ in 0..100 {
        let said = exchange(&host, &flood).await;
        assert!(said.is_empty() || said.starts_with("HTTP/1.1 4"), "{said}");
    }
    // A protocol upgrade is not accepted.
    let upgrade = format!(
        "GET /healthz HTTP/1.1\r\nhost: {host}\r\nconnection: upgrade, http2-settings, close\r\nupgrade: h2c\r\nhttp2-settings: AAMAAABkAARAAAAAAAIAAAAA\r\n\r\n"
    );
    let said = exchange(&host, upgrade.as_bytes()).await;
    assert!(said.starts_with("HTTP/1.1 200"), "{said}");
    let grown = resident().saturating_sub(before);
    assert!(grown < 32 * 1024, "{grown} kB more than before");
    server.stop().await;
}

/// Resident memory of this process, which includes the server, in kB.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let number = line.unwrap().trim().trim_end_matches("kB").trim();
    number.parse().unwrap()
}

/// H3: a reader that does not read is disconnected; its turn continues and ends, and others can
/// read it.
// design: promises H3
#[tokio::test(flavor = "multi_thread")]
async fn a_stuck_reader_is_dropped_and_its_turn_is_unharmed() {
    for backing in BOTH {
        let server = TestServer::start_with(backing, IMPATIENT).await;
        let who = server.sign_in("reader");
        let id = server.conversation(&who).await;
        // More than the sockets buffer, which is slightly over 4 MB.
        let answer = "0123456789abcdef".repeat(6 * 65_536);
        server.model.script([say(&answer).deltas_of(16 * 1024)]);
        let body = json!({ "content": "Tell me everything" }).to_string();
        let more = format!(
            "accept: text/event-stream\r\ncontent-type: application/json\r\ncontent-length: {}\r\n",
            body.len()
        );
        let line = format!("POST /api/v1/conversations/{id}/messages");
        let request = head(&server, &who, &line, &more) + &body;
        let socket = TcpSocket::new_v4().unwrap();
        socket.set_recv_buffer_size(4 * 1024).unwrap();
        let mut stuck = socket
            .connect(address(&server).parse().unwrap())
            .await
            .unwrap();
        stuck.write_all(request.as_bytes()).await.unwrap();
        let gone = timeout(FOR_EVER, async {
            server.model.requested(1).await;
            while figure(&server, "frontdesk_streams_open").await > 0
                || figure(&server, "frontdesk_turns_running").await > 0
            {
                tokio::task::yield_now().await;
            }
        });
        assert!(gone.await.is_ok(), "the stuck reader is still there");
        let messages = format!("/conversations/{id}/messages");
        let messages = server.get(&who, &messages).await.body;
        assert!(
            messages["items"][1]["content"] == json!(answer),
            "{messages}"
        );
        // The unread part is lost on this connection; the reader may reconnect for the rest.
        let mut rest = Vec::new();
        let _ = stuck.read_to_end(&mut rest).await;
        assert!(rest.len() < answer.len(), "{} bytes", rest.len());
        let turn = messages["items"][1]["metadata"]["turn_id"]
            .as_str()
            .unwrap();
        let events = format!("/conversations/{id}/turns/{turn}/events");
        let again =
            crate::server::events(server.request(reqwest::Method::GET, &events, Some(&who)));
        assert!(crate::server::text_of(&again.await) == answer);
        server.stop().await;
    }
}

/// A client that requests a turn's events and stops reading after the first one.
async fn behind(server: &TestServer, who: &Person, path: &str) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(256 * 1024).unwrap();
    let mut stream = socket
        .connect(address(server).parse().unwrap())
        .await
        .unwrap();
    let request = head(server, who, &format!("GET /api/v1{path}"), "");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut first = Vec::new();
    while !first.windows(12).any(|bytes| bytes == b"turn.started") {
        assert!(stream.read_buf(&mut first).await.unwrap() > 0, "it ended");
    }
    stream
}

async fn rest_of(mut stream: TcpStream) -> String {
    let mut rest = Vec::new();
    let read = timeout(FOR_EVER, stream.read_to_end(&mut rest)).await;
    read.expect("the stream ends").unwrap();
    String::from_utf8(rest).unwrap()
}

/// P17, H7: a stream that always has more to send still ends when its reader's token expires or the
/// server stops.
// design: promises P17, H7
#[tokio::test(flavor = "multi_thread")]
async fn a_stream_that_never_pauses_ends_when_it_must() {
    let server = TestServer::start(Backing::Sqlite).await;
    let who = server.sign_in("reader");
    let id = server.conversation(&who).await;
    // The maximum length of a reply: the sockets and the server buffer up to 6 MB.
    let answer = "0123456789abcdef".repeat(15 * 32_768);
    server.model.script([say(&answer).deltas_of(16 * 1024)]);
    let messages = format!("/conversations/{id}/messages");
    let said = server.post(&who, &messages, json!({ "content": "All of it" }));
    assert_eq!(said.await.status, 201);
    let messages = server.get(&who, &messages).await.body;
    let turn = messages["items"][1]["metadata"]["turn_id"]
        .as_str()
        .unwrap();
    let events = format!("/conversations/{id}/turns/{turn}/events");

    let brief = server.brief_token("reader", Duration::from_secs(12));
    let expired = behind(&server, &brief, &events).await;
    server.clock.advance(Duration::from_secs(12));
    let rest = rest_of(expired).await;
    assert!(rest.len() < answer.len(), "{} bytes", rest.len());
    assert!(!rest.contains("turn.completed"));

    let reader = behind(&server, &who, &events).await;
    let ready = format!("{}/readyz", server.url);
    let http = server.client.clone();
    let stopping = tokio::spawn(server.stop());
    // Refused, or disconnected during the request.
    let is_ready =
        async || matches!(http.get(&ready).send().await, Ok(answer) if answer.status() == 200);
    while is_ready().await {}
    let rest = rest_of(reader).await;
    assert!(rest.len() < answer.len(), "{} bytes", rest.len());
    assert!(rest.contains("event: shutdown\nretry: "));
    assert!(!rest.contains("turn.completed"));
    stopping.await.unwrap();
}
