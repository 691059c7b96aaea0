//! The model client of both baselines: hyper alone, a body made of strings, deltas read
//! into a struct.

use std::sync::{Mutex, PoisonError};

use anyhow::Result;
use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::Request;
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper_util::rt::TokioIo;
use serde::Deserialize;
use tokio::net::TcpStream;

type Connection = SendRequest<Full<Bytes>>;

pub struct Model {
    address: String,
    head: String,
    idle: Mutex<Vec<Connection>>,
}

#[derive(Default)]
pub struct Reply {
    pub text: String,
    pub call: Option<String>,
}

#[derive(Deserialize)]
struct Chunk<'a> {
    #[serde(borrow, default)]
    choices: Vec<Choice<'a>>,
}

#[derive(Deserialize)]
struct Choice<'a> {
    #[serde(borrow)]
    delta: Delta<'a>,
}

#[derive(Deserialize)]
struct Delta<'a> {
    #[serde(borrow, default)]
    content: Option<&'a str>,
    #[serde(borrow, default)]
    tool_calls: Vec<Call<'a>>,
}

#[derive(Deserialize)]
struct Call<'a> {
    #[serde(borrow, default)]
    id: Option<&'a str>,
}

impl Model {
    /// `tools` is their JSON.
    pub fn new(url: &str, tools: &str, system: &str) -> Self {
        Self {
            address: url
                .trim_start_matches("http://")
                .trim_end_matches("/v1")
                .to_owned(),
            head: format!(
                r#"{{"model":"bench","stream":true,"tools":{tools},"messages":[{{"role":"system","content":"{system}"}}"#
            ),
            idle: Mutex::new(Vec::new()),
        }
    }

    async fn connection(&self) -> Result<Connection> {
        let idle = {
            let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
            idle.pop()
        };
        if let Some(mut connection) = idle
            && connection.ready().await.is_ok()
        {
            return Ok(connection);
        }
        let stream = TcpStream::connect(&self.address).await?;
        stream.set_nodelay(true)?;
        let (send, connection) = handshake(TokioIo::new(stream)).await?;
        tokio::spawn(connection);
        Ok(send)
    }

    /// Sends these lines and passes each piece of text on as it arrives.
    pub async fn ask(&self, lines: &[&str], mut said: impl FnMut(&str)) -> Result<Reply> {
        let size = lines.iter().map(|line| line.len() + 1).sum::<usize>();
        let mut body = Vec::with_capacity(self.head.len() + size + 4);
        body.extend_from_slice(self.head.as_bytes());
        for line in lines {
            body.push(b',');
            body.extend_from_slice(line.as_bytes());
        }
        body.extend_from_slice(b"]}");
        let request = Request::post("/v1/chat/completions")
            .header("host", &self.address)
            .header("content-type", "application/json")
            .body(Full::new(Bytes::from(body)))?;
        let mut connection = self.connection().await?;
        let mut response = connection.send_request(request).await?.into_body();
        let mut reply = Reply::default();
        let mut rest = Vec::new();
        while let Some(frame) = response.frame().await {
            if let Some(data) = frame?.data_ref() {
                rest.extend_from_slice(data);
                read(&mut rest, &mut reply, &mut said)?;
            }
        }
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.push(connection);
        Ok(reply)
    }
}

/// Consumes whole lines from the front.
fn read(rest: &mut Vec<u8>, reply: &mut Reply, said: &mut impl FnMut(&str)) -> Result<()> {
    let mut start = 0;
    while let Some(end) = rest[start..].iter().position(|byte| *byte == b'\n') {
        let line = &rest[start..start + end];
        start += end + 1;
        let Some(json) = line.strip_prefix(b"data: ") else {
            continue;
        };
        if json == b"[DONE]" {
            continue;
        }
        let chunk: Chunk<'_> = serde_json::from_slice(json)?;
        for choice in &chunk.choices {
            if let Some(content) = choice.delta.content {
                reply.text.push_str(content);
                said(content);
            }
            for call in &choice.delta.tool_calls {
                if let Some(id) = call.id {
                    reply.call = Some(id.to_owned());
                }
            }
        }
    }
    rest.drain(..start);
    Ok(())
}
