//! Files in responses of a source: the response itself, base64 in it, or behind a link in it.

use reqwest::Url;
use serde_json::Value;

use crate::client::{ApiResponse, CallOptions, HttpSource, Link};
use crate::failure::{Failed, Failure};
use crate::operation::Lookup;
use crate::request::{ApiRequest, Target, path};
use crate::response::{Content, FileKind, embedded, identifier, items, link, object};

const NOT_A_FILE: Failure = Failure::Malformed("the answer is not a whole file");

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
        let body: Value = serde_json::from_slice(&answer.bytes).map_err(|_| NOT_A_FILE)?;
        if let Some(content) = embedded(&body, kind) {
            return Ok(FileAnswer::Content(content));
        }
        let address = link(&body).ok_or(NOT_A_FILE)?;
        self.linked(address, kind, options).await
    }

    /// The file behind an address that a response names.
    pub async fn linked(
        &self,
        address: &str,
        kind: FileKind,
        options: &CallOptions<'_>,
    ) -> Result<FileAnswer, Failed> {
        let urls = match self.link(address) {
            None => {
                let problem = "the answer has an address that cannot be used";
                return Err(Failure::Malformed(problem).into());
            }
            Some(Link::Elsewhere(url)) => return Ok(FileAnswer::Elsewhere(url)),
            Some(Link::Fetch(urls)) => urls,
        };
        // The first failure counts: at the second address, another application may answer.
        let mut failed: Option<Failed> = None;
        for url in urls {
            let request = ApiRequest::read(Target::Url(url));
            match self.send(&request, None, options).await {
                Ok(answer) => {
                    if let Some(content) = kind.content(&answer.bytes, answer.media_type.as_deref())
                    {
                        return Ok(FileAnswer::Content(content));
                    }
                    failed.get_or_insert(NOT_A_FILE.into());
                }
                Err(error) if error.is_not_found() => {
                    failed.get_or_insert(error);
                }
                Err(error) => return Err(error),
            }
        }
        Err(failed.unwrap_or_else(|| NOT_A_FILE.into()))
    }

    /// The object that has this name or id, and its id. An error means that the response says nothing
    /// about such objects.
    pub(crate) async fn find(
        &self,
        lookup: &Lookup,
        name: &str,
        options: &CallOptions<'_>,
    ) -> Result<Option<(String, Value)>, Failed> {
        let given = lookup
            .request
            .names()
            .map(|key| (key.to_owned(), Value::from(name)));
        let segments = path(&lookup.request, &given.collect())
            .map_err(|_| Failure::Unusable("the name is no identifier".into()))?;
        let body = match self.send(&ApiRequest::get(segments), None, options).await {
            Err(failed) if failed.is_not_found() => return Ok(None),
            answer => answer?.json()?,
        };
        let known = [&lookup.key, &lookup.id];
        let is_it = |item: &&Value| {
            let names = known.map(|place| identifier(place.find(item)?));
            names.iter().flatten().any(|known| known == name)
        };
        let found = match (object(&body, &known).filter(is_it), items(&body)) {
            (Some(object), _) => Some(object),
            (None, Some(items)) => items.iter().find(is_it),
            (None, None) => return Err(Failure::Malformed("the answer has no object").into()),
        };
        let with_id = |item: &Value| Some((identifier(lookup.id.find(item)?)?, item.clone()));
        Ok(found.and_then(with_id))
    }
}
