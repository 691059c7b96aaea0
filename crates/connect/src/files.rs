//! Files in responses of a source: the response itself, base64 in it, or behind a link in it.

use reqwest::Url;
use serde_json::Value;

use crate::client::{ApiResponse, CallOptions, HttpSource, Link};
use crate::failure::{Failed, Failure};
use crate::operation::Lookup;
use crate::request::{ApiRequest, Target, path};
use crate::response::{Content, FileKind, embedded, identifier, items, link, object};

/// A file in a response.
#[derive(Clone, Debug, PartialEq)]
pub enum FileAnswer {
    Content(Content),
    /// On a host that the source does not name: for people to open, never fetched.
    Elsewhere(Url),
}

impl HttpSource {
    /// The file that a response is, carries as base64, or links to.
    pub async fn file(
        &self,
        answer: &ApiResponse,
        kind: FileKind,
        options: &CallOptions<'_>,
    ) -> Result<FileAnswer, Failed> {
        if let Some(content) = kind.content(&answer.bytes, answer.media_type.as_deref()) {
            return Ok(FileAnswer::Content(content));
        }
        let unusable = || Failed::unsettled(Failure::Malformed("the answer is not a whole file"));
        let body: Value = serde_json::from_slice(&answer.bytes).map_err(|_| unusable())?;
        if let Some(content) = embedded(&body, kind) {
            return Ok(FileAnswer::Content(content));
        }
        let address = link(&body).ok_or_else(unusable)?;
        self.linked(address, kind, options).await
    }

    /// The file behind an address that a response names.
    pub(crate) async fn linked(
        &self,
        address: &str,
        kind: FileKind,
        options: &CallOptions<'_>,
    ) -> Result<FileAnswer, Failed> {
        let refused = Failure::Malformed("the answer has an address that cannot be used");
        let urls = match self.link(address) {
            None => return Err(Failed::unsettled(refused)),
            Some(Link::Elsewhere(url)) => return Ok(FileAnswer::Elsewhere(url)),
            Some(Link::Fetch(urls)) => urls,
        };
        let mut failed = Failed::unsettled(refused);
        for url in urls {
            let request = ApiRequest::read(Target::Url(url));
            match self.send(&request, None, options).await {
                Ok(answer) => {
                    let content = kind.content(&answer.bytes, answer.media_type.as_deref());
                    let unusable = Failure::Malformed("the answer is not a whole file");
                    return content
                        .map(FileAnswer::Content)
                        .ok_or_else(|| Failed::unsettled(unusable));
                }
                Err(error) if error.is_not_found() => failed = error,
                Err(error) => return Err(error),
            }
        }
        Err(failed)
    }

    /// The id of the object that has another name.
    pub async fn look_up(
        &self,
        lookup: &Lookup,
        name: &str,
        options: &CallOptions<'_>,
    ) -> Option<String> {
        let given = lookup
            .request
            .names()
            .map(|key| (key.to_owned(), Value::from(name)));
        let request = ApiRequest::get(path(&lookup.request, &given.collect()).ok()?);
        let body = self.send(&request, None, options).await.ok()?.json().ok()?;
        let is_it = |item: &&Value| lookup.key.find(item).and_then(Value::as_str) == Some(name);
        let listed = || items(&body)?.iter().find(is_it);
        let found = object(&body, &[&lookup.key, &lookup.id]).filter(is_it);
        let id = identifier(lookup.id.find(found.or_else(listed)?)?)?;
        (id != name).then_some(id)
    }
}
