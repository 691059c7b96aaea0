//! The floor: the same two requests by hyper alone, with a body made of strings, deltas read
//! into a struct, and nothing kept.

use std::sync::Mutex;

use anyhow::{Context, Result, bail};
use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::Request;
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper_util::rt::TokioIo;
use serde::Deserialize;
use tokio::net::TcpStream;

use crate::measure::Turns;
use crate::ours::tools_json;
use crate::scene::{QUESTION, RESULT, SYSTEM, Scene};

type Connection = SendRequest<Full<Bytes>>;

pub struct Floor {
    address: String,
    head: String,
    history: Vec<u8>,
    idle: Mutex<Vec<Connection>>,
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

impl Floor {
    pub fn new(url: &str, scene: &Scene) -> Self {
        let address = url.trim_start_matches("http://").trim_end_matches("/v1");
        Self {
            address: address.to_owned(),
            head: format!(
                r#"{{"model":"bench","stream":true,"tools":{},"messages":[{{"role":"system","content":"{SYSTEM}"}}"#,
                tools_json(scene.tools)
            ),
            history: scene.transcript().into_bytes().to_vec(),
            idle: Mutex::new(Vec::new()),
        }
    }

    async fn connection(&self) -> Result<Connection> {
        let idle = self.idle.lock().ok().and_then(|mut idle| idle.pop());
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

    async fn ask(&self, tail: &str) -> Result<(String, Option<String>)> {
        let mut body = Vec::with_capacity(self.head.len() + self.history.len() + tail.len() + 4);
        body.extend_from_slice(self.head.as_bytes());
        if !self.history.is_empty() {
            body.push(b',');
            body.extend_from_slice(&self.history);
        }
        body.extend_from_slice(tail.as_bytes());
        body.extend_from_slice(b"]}");
        let request = Request::post("/v1/chat/completions")
            .header("host", &self.address)
            .header("content-type", "application/json")
            .body(Full::new(Bytes::from(body)))?;
        let mut connection = self.connection().await?;
        let mut response = connection.send_request(request).await?.into_body();
        let mut reader = Reader::default();
        while let Some(frame) = response.frame().await {
            if let Some(data) = frame?.data_ref() {
                reader.read(data)?;
            }
        }
        if let Ok(mut idle) = self.idle.lock() {
            idle.push(connection);
        }
        Ok((reader.text, reader.call))
    }
}

#[derive(Default)]
struct Reader {
    rest: Vec<u8>,
    text: String,
    call: Option<String>,
}

impl Reader {
    fn read(&mut self, data: &[u8]) -> Result<()> {
        self.rest.extend_from_slice(data);
        let mut start = 0;
        while let Some(end) = self.rest[start..].iter().position(|byte| *byte == b'\n') {
            let line = &self.rest[start..start + end];
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
                    self.text.push_str(content);
                }
                for call in &choice.delta.tool_calls {
                    if let Some(id) = call.id {
                        self.call = Some(id.to_owned());
                    }
                }
            }
        }
        self.rest.drain(..start);
        Ok(())
    }
}

impl Turns for Floor {
    async fn turn(&self) -> Result<()> {
        let user = format!(r#",{{"role":"user","content":"{QUESTION}"}}"#);
        let (_, call) = self.ask(&user).await?;
        let id = call.context("the model called no tool")?;
        let result = RESULT.replace('"', "\\\"");
        let tail = format!(
            r#"{user},{{"role":"assistant","tool_calls":[{{"id":"{id}","type":"function","function":{{"name":"tool_0","arguments":"{{}}"}}}}]}},{{"role":"tool","content":"{result}","tool_call_id":"{id}"}}"#
        );
        let (text, _) = self.ask(&tail).await?;
        if text.is_empty() {
            bail!("the model said nothing");
        }
        Ok(())
    }
}
