//! A raw server in place of the API: it records requests and responds as scripted, also
//! incorrectly.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use futures_util::future::BoxFuture;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// A request as received.
#[derive(Clone, Debug)]
pub(crate) struct ReceivedRequest {
    pub(crate) method: String,
    /// Path and query, not decoded.
    pub(crate) target: String,
    pub(crate) headers: BTreeMap<String, String>,
    pub(crate) body: Vec<u8>,
}

/// The server's response to a request.
pub(crate) enum Act {
    Answer {
        status: u16,
        headers: Vec<(&'static str, String)>,
        body: Vec<u8>,
    },
    /// Declares a body length, sends less and closes the connection.
    CutBody { declared: usize, sent: Vec<u8> },
    /// Closes the connection without a response.
    HangUp,
    /// Sends nothing, or nothing after the head; the future runs meanwhile.
    Silence {
        head: bool,
        meanwhile: BoxFuture<'static, ()>,
    },
}

pub(crate) fn json(status: u16, body: serde_json::Value) -> Act {
    Act::Answer {
        status,
        headers: vec![("content-type", "application/json".to_owned())],
        body: body.to_string().into_bytes(),
    }
}

pub(crate) fn bytes(media_type: &str, body: impl Into<Vec<u8>>) -> Act {
    Act::Answer {
        status: 200,
        headers: vec![("content-type", media_type.to_owned())],
        body: body.into(),
    }
}

pub(crate) struct Upstream {
    pub(crate) url: String,
    seen: Arc<Mutex<Vec<ReceivedRequest>>>,
    serving: JoinHandle<()>,
}

type Script = dyn Fn(&ReceivedRequest, usize) -> Act + Send + Sync;

impl Upstream {
    /// `script` gets each request and the number of earlier ones.
    pub(crate) async fn start(
        script: impl Fn(&ReceivedRequest, usize) -> Act + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/base", listener.local_addr().unwrap());
        let seen: Arc<Mutex<Vec<ReceivedRequest>>> = Arc::default();
        let kept = Arc::clone(&seen);
        let script: Arc<Script> = Arc::new(script);
        let serving = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, Arc::clone(&kept), Arc::clone(&script)));
            }
        });
        Self { url, seen, serving }
    }

    pub(crate) fn seen(&self) -> Vec<ReceivedRequest> {
        self.seen.lock().unwrap().clone()
    }

    /// Requests since the last call.
    pub(crate) fn take(&self) -> Vec<ReceivedRequest> {
        std::mem::take(&mut self.seen.lock().unwrap())
    }
}

impl Drop for Upstream {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

async fn serve(mut stream: TcpStream, kept: Arc<Mutex<Vec<ReceivedRequest>>>, script: Arc<Script>) {
    let Some(seen) = read(&mut stream).await else {
        return;
    };
    let index = {
        let mut kept = kept.lock().unwrap();
        kept.push(seen.clone());
        kept.len() - 1
    };
    match script(&seen, index) {
        Act::Answer {
            status,
            headers,
            body,
        } => {
            let mut head = format!(
                "HTTP/1.1 {status} Said\r\nconnection: close\r\ncontent-length: {}\r\n",
                body.len()
            );
            for (name, value) in headers {
                head.push_str(&format!("{name}: {value}\r\n"));
            }
            let _ = stream.write_all(format!("{head}\r\n").as_bytes()).await;
            let _ = stream.write_all(&body).await;
            let _ = stream.shutdown().await;
        }
        Act::CutBody { declared, sent } => {
            let head = format!(
                "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {declared}\r\n\r\n"
            );
            let _ = stream.write_all(head.as_bytes()).await;
            let _ = stream.write_all(&sent).await;
            let _ = stream.shutdown().await;
        }
        Act::HangUp => {}
        Act::Silence { head, meanwhile } => {
            if head {
                let head = b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n";
                let _ = stream.write_all(head).await;
            }
            meanwhile.await;
            std::future::pending::<()>().await;
        }
    }
}

async fn read(stream: &mut TcpStream) -> Option<ReceivedRequest> {
    let mut bytes = Vec::new();
    let end = loop {
        if let Some(at) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            break at;
        }
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    };
    let head = String::from_utf8(bytes[..end].to_vec()).ok()?;
    let mut lines = head.lines();
    let mut first = lines.next()?.split(' ');
    let (method, target) = (first.next()?.to_owned(), first.next()?.to_owned());
    let headers: BTreeMap<String, String> = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
        .collect();
    let length: usize = headers
        .get("content-length")
        .map_or(0, |length| length.parse().unwrap());
    assert!(
        !headers.contains_key("transfer-encoding"),
        "bodies come with their length"
    );
    let mut body = bytes.split_off(end + 4);
    while body.len() < length {
        if stream.read_buf(&mut body).await.ok()? == 0 {
            return None;
        }
    }
    Some(ReceivedRequest {
        method,
        target,
        headers,
        body,
    })
}
