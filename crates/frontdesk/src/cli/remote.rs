//! A client of the HTTP API: of the server that owns this data folder or is named by `--server`, or
//! of the routes of this process. The API makes all access decisions.

mod in_process;
mod message;
mod sse;

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, bail};
use bytes::Bytes;
use frontdesk_core::access::Principal;
use frontdesk_core::id::AttachmentId;
use reqwest::{Client, Method, RequestBuilder, Response, StatusCode};
use serde_json::{Value, json};

use crate::app::App;
use crate::outgoing;

use in_process::InProcess;
pub(super) use message::{
    ChatRequest, Decide, attach, attach_all, call, chat_once, conversation, decision_body, follow,
    load_preview,
};
pub(super) use sse::Events;

/// Connect timeout. There is no total timeout: a streamed answer may be long.
const CONNECT: Duration = Duration::from_secs(5);

#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub(super) struct ServerRefusal {
    pub(super) status: StatusCode,
    pub(super) code: String,
    pub(super) message: String,
}

#[derive(Clone)]
pub(super) struct Remote {
    client: Client,
    url: String,
    token: String,
    /// Answers instead of a server.
    here: Option<InProcess>,
}

pub(super) enum Sign<'a> {
    Token(String),
    Persona(&'a str),
    /// As the first demo persona that may use this assistant.
    AnyoneFor(&'a str),
}

impl Remote {
    pub(super) async fn connect(url: &str, sign: Sign<'_>) -> anyhow::Result<Self> {
        let mut remote = Self::new(url)?;
        match sign {
            Sign::Token(token) => remote.token = token,
            Sign::Persona(name) => remote.be(name).await?,
            Sign::AnyoneFor(assistant) => remote.be_anyone_for(assistant).await?,
        }
        Ok(remote)
    }

    /// The API of this process, used by this person.
    pub(super) fn in_process(app: &Arc<App>, who: &Principal) -> anyhow::Result<Self> {
        let mut remote = Self::new(&in_process::url(&app.config))?;
        remote.here = Some(InProcess::new(app, who));
        Ok(remote)
    }

    fn new(url: &str) -> anyhow::Result<Self> {
        Ok(Self {
            client: outgoing::builder(url).connect_timeout(CONNECT).build()?,
            url: url.trim_end_matches('/').to_owned(),
            token: String::new(),
            here: None,
        })
    }

    /// Signs in as this demo persona.
    pub(super) async fn be(&mut self, persona: &str) -> anyhow::Result<()> {
        let body = json!({ "persona": persona });
        let signed_in = self.post("/demo/sign-in", &body).await.with_context(|| {
            format!(
                "{} does not let demo people in; set FRONTDESK_TOKEN",
                self.url
            )
        })?;
        self.token = text(&signed_in["token"]);
        if let Some(here) = &mut self.here {
            here.forget_person();
        }
        Ok(())
    }

    /// Signs in as the first demo persona that may use this assistant.
    pub(super) async fn be_anyone_for(&mut self, assistant: &str) -> anyhow::Result<()> {
        let people = self.list("/demo/personas").await.with_context(|| {
            format!(
                "no identity given: {} has no demo personas; set FRONTDESK_TOKEN",
                self.url
            )
        })?;
        for persona in people {
            self.be(&text(&persona["name"])).await?;
            let mut assistants = self.list("/assistants").await?.into_iter();
            if assistants.any(|entry| entry["name"] == assistant) {
                return Ok(());
            }
        }
        bail!("no identity given; use --as PERSONA")
    }

    pub(super) async fn get(&self, path: &str) -> anyhow::Result<Value> {
        let response = self.send(self.request(Method::GET, path)).await?;
        Ok(response.json().await?)
    }

    /// The items of a list that fits one page.
    pub(super) async fn list(&self, path: &str) -> anyhow::Result<Vec<Value>> {
        let Value::Array(items) = self.get(path).await?["items"].take() else {
            bail!("the server answers in an unknown format; update this program");
        };
        Ok(items)
    }

    pub(super) async fn post(&self, path: &str, body: &Value) -> anyhow::Result<Value> {
        let request = self.request(Method::POST, path).json(body);
        let response = self.send(request).await?;
        Ok(response.json().await?)
    }

    /// Posts a message or a form and streams the turn's events.
    pub(super) async fn post_for_events(&self, path: &str, body: &Value) -> anyhow::Result<Events> {
        let request = self
            .request(Method::POST, path)
            .header("accept", "text/event-stream")
            .json(body);
        Ok(Events::of(self.send(request).await?))
    }

    pub(super) async fn events_after(&self, path: &str, position: u64) -> anyhow::Result<Events> {
        let request = self
            .request(Method::GET, path)
            .header("last-event-id", position);
        Ok(Events::of(self.send(request).await?))
    }

    /// Uploads a local file to a conversation and returns its id.
    pub(super) async fn upload(
        &self,
        conversation: &str,
        name: String,
        bytes: Vec<u8>,
    ) -> anyhow::Result<String> {
        let file = reqwest::multipart::Part::bytes(bytes).file_name(name);
        let form = reqwest::multipart::Form::new()
            .text("conversation_id", conversation.to_owned())
            .part("file", file);
        let request = self.request(Method::POST, "/attachments").multipart(form);
        let uploaded: Value = self.send(request).await?.json().await?;
        Ok(text(&uploaded["id"]))
    }

    /// Sends documents of one folder to a collection.
    pub(super) async fn add_files(
        &self,
        collection: &str,
        folder: &str,
        files: Vec<(String, Vec<u8>)>,
        metadata: &Value,
    ) -> anyhow::Result<Value> {
        let mut form = reqwest::multipart::Form::new()
            .text("folder", folder.to_owned())
            .text("metadata", metadata.to_string());
        for (name, bytes) in files {
            let part = reqwest::multipart::Part::bytes(bytes).file_name(name);
            form = form.part("file", part);
        }
        let path = format!("/collections/{collection}/files");
        let request = self.request(Method::POST, &path).multipart(form);
        Ok(self.send(request).await?.json().await?)
    }

    pub(super) async fn remove_document(&self, collection: &str, url: &str) -> anyhow::Result<()> {
        let mut address = reqwest::Url::parse(&self.url)?;
        address.query_pairs_mut().append_pair("url", url);
        let query = address.query().unwrap_or_default();
        let path = format!("/collections/{collection}/documents?{query}");
        self.send(self.request(Method::DELETE, &path))
            .await
            .map(drop)
    }

    pub(super) async fn download(&self, id: AttachmentId) -> anyhow::Result<Bytes> {
        let request = self.request(Method::GET, &format!("/attachments/{id}"));
        Ok(self.send(request).await?.bytes().await?)
    }

    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let request = self
            .client
            .request(method, format!("{}/api/v1{path}", self.url));
        if self.token.is_empty() {
            return request;
        }
        request.bearer_auth(&self.token)
    }

    async fn send(&self, request: RequestBuilder) -> anyhow::Result<Response> {
        let response = match &self.here {
            Some(here) => here.answer(request.build()?).await?,
            None => request.send().await.map_err(|error| {
                // A URL may contain secrets, so only the server's base address is shown.
                anyhow::Error::from(error.without_url())
                    .context(format!("the server at {} does not answer", self.url))
            })?,
        };
        let status = response.status();
        if status.is_success() {
            return Ok(response);
        }
        let body: Value = response.json().await.unwrap_or_default();
        let message = match body["error"]["message"].as_str() {
            Some(message) => message.to_owned(),
            None => format!("the server answered {status}"),
        };
        Err(ServerRefusal {
            status,
            code: text(&body["error"]["code"]),
            message,
        }
        .into())
    }
}

pub(super) fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
