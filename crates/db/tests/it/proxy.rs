//! A TCP proxy in front of Postgres that misbehaves when the client sends a given word.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{
        TcpListener, TcpStream,
        tcp::{OwnedReadHalf, OwnedWriteHalf},
    },
    sync::watch,
};

/// The misbehaviour, once armed.
#[derive(Clone, Copy)]
pub(crate) enum Rule {
    /// The word reaches the server; the response never reaches the client.
    CutAfter(&'static str),
    /// No response reaches the client until the client has sent the word.
    HoldUntil(&'static str),
}

pub(crate) struct Proxy {
    pub(crate) url: String,
    armed: Arc<AtomicBool>,
}

impl Proxy {
    pub(crate) async fn start(url: &str, rule: Rule) -> Self {
        let (server, name) = url.split_once('@').unwrap().1.split_once('/').unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let armed = Arc::new(AtomicBool::new(false));
        let (server, arm) = (server.to_owned(), Arc::clone(&armed));
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let upstream = TcpStream::connect(&server).await.unwrap();
                tokio::spawn(serve(client, upstream, rule, Arc::clone(&arm)));
            }
        });
        Proxy {
            url: format!("postgres://postgres@{address}/{name}"),
            armed,
        }
    }

    pub(crate) fn arm(&self) {
        self.armed.store(true, Ordering::SeqCst);
    }

    pub(crate) fn disarm(&self) {
        self.armed.store(false, Ordering::SeqCst);
    }
}

async fn serve(client: TcpStream, server: TcpStream, rule: Rule, armed: Arc<AtomicBool>) {
    let (from_client, to_client) = client.into_split();
    let (from_server, to_server) = server.into_split();
    let (heard, hears) = watch::channel(false);
    let answers = tokio::spawn(answers(
        from_server,
        to_client,
        rule,
        Arc::clone(&armed),
        hears,
    ));
    requests(from_client, to_server, rule, armed, heard).await;
    answers.abort();
}

async fn requests(
    mut from: OwnedReadHalf,
    mut to: OwnedWriteHalf,
    rule: Rule,
    armed: Arc<AtomicBool>,
    heard: watch::Sender<bool>,
) {
    let (Rule::CutAfter(word) | Rule::HoldUntil(word)) = rule;
    let mut said = Vec::new();
    let mut buffer = [0; 8192];
    while let Ok(length @ 1..) = from.read(&mut buffer).await {
        if armed.load(Ordering::SeqCst) {
            said.extend_from_slice(&buffer[..length]);
            if said
                .windows(word.len())
                .any(|found| found == word.as_bytes())
            {
                heard.send_replace(true);
            }
        }
        if to.write_all(&buffer[..length]).await.is_err() {
            return;
        }
    }
}

async fn answers(
    mut from: OwnedReadHalf,
    mut to: OwnedWriteHalf,
    rule: Rule,
    armed: Arc<AtomicBool>,
    mut heard: watch::Receiver<bool>,
) {
    let mut buffer = [0; 8192];
    while let Ok(length @ 1..) = from.read(&mut buffer).await {
        if armed.load(Ordering::SeqCst) {
            match rule {
                Rule::HoldUntil(_) => {
                    if heard.wait_for(|heard| *heard).await.is_err() {
                        return;
                    }
                }
                Rule::CutAfter(_) => {
                    if *heard.borrow() {
                        return;
                    }
                }
            }
        }
        if to.write_all(&buffer[..length]).await.is_err() {
            return;
        }
    }
}
