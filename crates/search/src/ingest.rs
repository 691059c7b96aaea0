//! Takes documents in: finds them, reads them, cuts them, embeds them, keeps them. Each
//! document is kept whole or not at all, and one that did not change costs nothing, so an
//! interrupted run is continued by running it again.

mod files;
mod report;
mod robots;
mod site;
mod sitemap;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;

use chrono::Utc;
use frontdesk_core::embed::{Embedder, Purpose};
use frontdesk_core::search::{ChunkConfig, SearchError};
use futures_util::StreamExt;
use futures_util::stream;
use reqwest::Url;
use sha2::{Digest, Sha256};

use crate::chunk::{self, Passage};
use crate::egress::Egress;
use crate::extract::{self, Format};
use crate::index::{Index, Known, NewDocument, NewPassage, Place};
use crate::retrieval::SOURCES;

pub use report::{ErrorType, FailedUrl, Report};

/// Documents that are worked on at once.
const CONCURRENCY: usize = 5;
/// Passages that are embedded together.
const BATCH: usize = 32;

/// What can be taken in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A file or a folder with everything in it.
    Path(PathBuf),
    /// A page, a site by its links, or a sitemap.
    Address(Url),
    /// Documents that come with the product, as paths and Markdown.
    Bundled(&'static [(&'static str, &'static str)]),
    /// Documents that a part of the product hands over, as paths and Markdown.
    Given(Vec<(String, String)>),
    /// Files that somebody sent, by their path in the collection. What was sent before stays.
    Sent(Vec<SentFile>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SentFile {
    pub path: String,
    pub bytes: Vec<u8>,
}

/// How to take it in.
#[derive(Clone, Debug)]
pub struct Options {
    pub place: Place,
    pub config: ChunkConfig,
    /// Only count what would be done.
    pub dry_run: bool,
    /// Pages of a site at most.
    pub most_pages: usize,
    pub metadata: BTreeMap<String, String>,
}

/// Hears how far it is.
pub trait Progress: Send + Sync {
    fn found(&self, total: usize);
    fn done(&self, url: &str);
}

pub struct Ingest {
    pub index: Arc<dyn Index>,
    pub embedder: Option<Arc<dyn Embedder>>,
    pub egress: Egress,
}

/// Something found that may be a document.
pub(crate) struct Found {
    /// The address it is kept under.
    url: String,
    /// What else is known of it: a file's title is its name when it has no other.
    name: String,
    content: Content,
}

pub(crate) enum Content {
    File(PathBuf),
    /// Bytes that were fetched, or why not.
    Page(Result<Page, FailedUrl>),
    /// The server says that it is as it was.
    Unchanged,
}

pub(crate) struct Page {
    bytes: Vec<u8>,
    format: Format,
    charset: Option<String>,
    etag: Option<String>,
}

impl Ingest {
    /// Takes in everything of one source. Documents of the source that are no longer there
    /// are removed, unless the source itself could not be read.
    pub async fn run(
        &self,
        source: &Source,
        options: &Options,
        progress: &dyn Progress,
    ) -> Result<Report, SearchError> {
        chunk::check(options.config).map_err(SearchError::Invalid)?;
        check_name(&options.place.collection)?;
        let name = source_name(source);
        let known: HashMap<String, Known> = self
            .index
            .known(&options.place, &name)
            .await?
            .into_iter()
            .map(|known| (known.url.clone(), known))
            .collect();
        let mut report = Report::begin(options.dry_run);
        let mut seen = HashSet::new();
        let whole = match source {
            Source::Path(_) | Source::Bundled(_) | Source::Given(_) | Source::Sent(_) => {
                let found = files::found(source, &options.place.collection)?;
                progress.found(found.len());
                seen.extend(found.iter().map(|one| one.url.clone()));
                let work = stream::iter(found)
                    .map(|one| self.take(one, &name, &known, options))
                    .buffer_unordered(CONCURRENCY);
                collect(work, &mut report, progress).await?;
                !matches!(source, Source::Sent(_))
            }
            Source::Address(url) => {
                let mut site = site::Site::open(&self.egress, url, options.most_pages).await?;
                loop {
                    let etags = |url: &str| known.get(url).and_then(|known| known.etag.clone());
                    let pages = site.next_pages(CONCURRENCY, &etags).await;
                    if pages.is_empty() {
                        break;
                    }
                    progress.found(site.total());
                    seen.extend(pages.iter().map(|one| one.url.clone()));
                    let work = stream::iter(pages)
                        .map(|one| self.take(one, &name, &known, options))
                        .buffer_unordered(CONCURRENCY);
                    collect(work, &mut report, progress).await?;
                }
                site.is_whole()
            }
        };
        let gone: Vec<String> = known
            .into_keys()
            .filter(|url| whole && !seen.contains(url))
            .collect();
        report.removed = gone.len();
        if !options.dry_run && !gone.is_empty() {
            self.index.remove(&options.place, &gone).await?;
        }
        Ok(report.end())
    }

    async fn take(
        &self,
        found: Found,
        source: &str,
        known: &HashMap<String, Known>,
        options: &Options,
    ) -> (String, Result<Taken, TakeError>) {
        let url = found.url.clone();
        let taken = self.take_in(found, source, known, options).await;
        (url, taken)
    }

    async fn take_in(
        &self,
        found: Found,
        source: &str,
        known: &HashMap<String, Known>,
        options: &Options,
    ) -> Result<Taken, TakeError> {
        let Found { url, name, content } = found;
        let page = match content {
            Content::Unchanged => return Ok(Taken::Unchanged),
            Content::Page(page) => page.map_err(TakeError::Document)?,
            Content::File(path) => files::read(&path)
                .await
                .map_err(|problem| failed(&url, ErrorType::Parse, problem))?,
        };
        let hash = self.hash(&page.bytes, options);
        if known.get(&url).is_some_and(|known| known.hash == hash) {
            return Ok(Taken::Unchanged);
        }
        let etag = page.etag.clone();
        let document = read(&url, page).await?;
        let too_short = document.text.chars().count() < extract::SHORTEST_PAGE;
        if is_page(&url) && (document.links.no_index || too_short) {
            return Ok(Taken::Skipped);
        }
        let title = match document.title.is_empty() {
            true => name,
            false => document.title,
        };
        let cut = chunk::passages(&document.text, options.config);
        let taken = Taken::Done {
            chunks: cut.len(),
            tokens: cut.iter().map(|one| u64::from(one.tokens)).sum(),
        };
        if options.dry_run {
            return Ok(taken);
        }
        let new = NewDocument {
            place: options.place.clone(),
            source: source.to_owned(),
            passages: self.passages(&url, &title, cut).await?,
            url: url.clone(),
            title,
            text: document.text,
            hash,
            etag,
            metadata: options.metadata.clone(),
            config: options.config,
            taken: Utc::now(),
            model: self.model(),
        };
        match self.index.put(new).await {
            Ok(()) => Ok(taken),
            // An index that is down fails every document: it is told once and the run ends.
            Err(error) => Err(TakeError::Index(url, error)),
        }
    }

    /// Passages with their vectors, under their title and headings.
    async fn passages(
        &self,
        url: &str,
        title: &str,
        cut: Vec<Passage>,
    ) -> Result<Vec<NewPassage>, TakeError> {
        let searched: Vec<String> = cut.iter().map(|one| one.with_context(title)).collect();
        let vectors = self
            .embed(&searched)
            .await
            .map_err(|error| failed(url, ErrorType::Embedding, error))?;
        Ok(cut
            .into_iter()
            .zip(searched)
            .zip(vectors)
            .map(|((passage, searched), vector)| NewPassage {
                text: passage.text,
                searched,
                tokens: passage.tokens,
                begin: passage.range.start,
                end: passage.range.end,
                vector,
            })
            .collect())
    }

    async fn embed(
        &self,
        texts: &[String],
    ) -> Result<Vec<Option<frontdesk_core::embed::Embedding>>, frontdesk_core::embed::EmbedError>
    {
        let Some(embedder) = &self.embedder else {
            return Ok(vec![None; texts.len()]);
        };
        let mut vectors = Vec::with_capacity(texts.len());
        for batch in texts.chunks(BATCH) {
            let batch: Vec<&str> = batch.iter().map(String::as_str).collect();
            let embedded = embedder.embed(&batch, Purpose::Document).await?;
            vectors.extend(embedded.into_iter().map(Some));
        }
        Ok(vectors)
    }

    fn model(&self) -> String {
        self.embedder
            .as_ref()
            .map_or_else(String::new, |embedder| embedder.model().to_owned())
    }

    /// Changes with the content and with everything that decides what is kept of it.
    fn hash(&self, bytes: &[u8], options: &Options) -> String {
        let ChunkConfig {
            chunk_size,
            chunk_overlap,
        } = options.config;
        let how = format!(
            "{chunk_size}/{chunk_overlap}/{}/{:?}",
            self.model(),
            options.metadata
        );
        let mut digest = Sha256::new();
        digest.update(how.as_bytes());
        digest.update(bytes);
        digest
            .finalize()
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect()
    }
}

/// Reading may take a while, and a hostile file may break its reader: both stay here.
async fn read(url: &str, page: Page) -> Result<extract::Document, TakeError> {
    let parsed = tokio::task::spawn_blocking(move || {
        extract::document(&page.bytes, page.format, page.charset.as_deref())
    })
    .await;
    match parsed {
        Ok(document) => document.map_err(|error| failed(url, ErrorType::Parse, error)),
        Err(_) => Err(failed(url, ErrorType::Parse, "it could not be read")),
    }
}

fn failed(url: &str, error_type: ErrorType, message: impl ToString) -> TakeError {
    TakeError::Document(FailedUrl::new(url, error_type, message))
}

pub(crate) enum Taken {
    Done {
        chunks: usize,
        tokens: u64,
    },
    Unchanged,
    /// Nothing to take in: too short, or its author does not want it.
    Skipped,
}

pub(crate) enum TakeError {
    Document(FailedUrl),
    Index(String, SearchError),
}

async fn collect(
    work: impl futures_util::Stream<Item = (String, Result<Taken, TakeError>)>,
    report: &mut Report,
    progress: &dyn Progress,
) -> Result<(), SearchError> {
    let mut work = std::pin::pin!(work);
    while let Some((url, taken)) = work.next().await {
        progress.done(&url);
        report.add(taken)?;
    }
    Ok(())
}

/// Collections stand in addresses and in file names.
pub fn check_name(collection: &str) -> Result<(), SearchError> {
    let fits = (1..=64).contains(&collection.len())
        && collection
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'));
    if fits {
        return Ok(());
    }
    Err(SearchError::Invalid(format!(
        "{collection:?} cannot be the name of a collection; use up to 64 letters, digits, `-` and `_`"
    )))
}

/// The address that a file of a collection is kept under.
pub fn file_address(collection: &str, path: &str) -> String {
    format!("{SOURCES}{collection}/{}", files::escaped(path))
}

fn is_page(url: &str) -> bool {
    !url.starts_with(SOURCES)
}

/// What documents are remembered to come from.
fn source_name(source: &Source) -> String {
    match source {
        Source::Path(path) => path
            .canonicalize()
            .unwrap_or_else(|_| path.clone())
            .display()
            .to_string(),
        Source::Address(url) => url.to_string(),
        Source::Bundled(_) => "bundled".to_owned(),
        Source::Given(_) => "given".to_owned(),
        Source::Sent(_) => "sent".to_owned(),
    }
}

#[cfg(test)]
#[path = "ingest_tests.rs"]
mod ingest_tests;
