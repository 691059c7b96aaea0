//! A request that can be sent repeatedly: the same bytes and the same key every time.

use bytes::Bytes;
use reqwest::header::{ACCEPT, AUTHORIZATION, HeaderValue};
use reqwest::multipart::{Form, Part};
use reqwest::{Client, Request, Url};
use serde_json::Value;

use super::failure::Failure;
use crate::photo::Photo;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Method {
    Get,
    Post,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ApiRequest {
    pub(crate) method: Method,
    /// Decoded; they are percent-encoded when the URL is built.
    pub(crate) segments: Vec<String>,
    pub(crate) query: Vec<(String, String)>,
    pub(crate) payload: Payload,
    /// The same for every attempt at one change.
    pub(crate) idempotency_key: Option<String>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Payload {
    Nothing,
    Json(Value),
    /// `multipart/form-data` with a file in the field of this name.
    Form {
        fields: Vec<(String, String)>,
        file: (&'static str, Photo),
    },
}

impl ApiRequest {
    /// A plain GET.
    pub(crate) fn get(segments: Vec<String>) -> Self {
        Self {
            method: Method::Get,
            segments,
            query: Vec::new(),
            payload: Payload::Nothing,
            idempotency_key: None,
        }
    }

    /// The same list from the end of the last page.
    pub(crate) fn next_page(mut self, cursor: &str) -> Self {
        self.query.retain(|(name, _)| name != "cursor");
        self.query.push(("cursor".to_owned(), cursor.to_owned()));
        self
    }

    /// A GET may be repeated; a POST only under an idempotency key.
    pub(super) fn may_be_repeated(&self) -> bool {
        self.method == Method::Get || self.idempotency_key.is_some()
    }

    pub(super) fn build(&self, http: &Client, base: &Url, token: &str) -> Result<Request, Failure> {
        let mut url = base.clone();
        match url.path_segments_mut() {
            Ok(mut path) => {
                path.pop_if_empty().extend(&self.segments);
            }
            Err(()) => {
                return Err(Failure::Unusable(
                    "the address of the API has no path".into(),
                ));
            }
        }
        if !self.query.is_empty() {
            url.query_pairs_mut().extend_pairs(&self.query);
        }
        let mut builder = match self.method {
            Method::Get => http.get(url),
            Method::Post => http.post(url),
        };
        let mut bearer = HeaderValue::try_from(format!("Bearer {token}"))
            .map_err(|_| Failure::Unusable("the token cannot stand in a header".into()))?;
        bearer.set_sensitive(true);
        builder = builder
            .header(AUTHORIZATION, bearer)
            .header(ACCEPT, "application/json, image/*, application/pdf");
        if let Some(key) = &self.idempotency_key {
            builder = builder.header("idempotency-key", key);
        }
        builder = match &self.payload {
            Payload::Nothing => builder,
            Payload::Json(body) => builder.json(body),
            Payload::Form { fields, file } => builder.multipart(form(fields, file)?),
        };
        builder
            .build()
            .map_err(|error| Failure::Unusable(error.into()))
    }
}

fn form(fields: &[(String, String)], file: &(&'static str, Photo)) -> Result<Form, Failure> {
    let (name, photo) = file;
    let bytes: Bytes = photo.bytes.clone();
    let length = bytes.len() as u64;
    let part = Part::stream_with_length(bytes, length)
        .file_name(format!("photo.{}", photo.format.extension()))
        .mime_str(photo.format.media_type())
        .map_err(|error| Failure::Unusable(error.into()))?;
    let form = fields.iter().fold(Form::new(), |form, (name, value)| {
        form.text(name.clone(), value.clone())
    });
    Ok(form.part(*name, part))
}
