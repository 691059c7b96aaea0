//! Crawls a site: by its sitemap, or by links on the same host below the starting path.
//! Obeys robots.txt and fetches no page twice.

use std::collections::{HashMap, HashSet, VecDeque};

use frontdesk_core::search::SearchError;
use futures_util::future::join_all;
use reqwest::Url;

use super::robots::Robots;
use super::{Candidate, Content, ErrorType, FailedUrl, Page, sitemap};
use crate::egress::{Egress, FetchError};
use crate::extract::{self, Format};

/// Maximum number of sitemaps per run.
const MOST_SITEMAPS: usize = 50;

pub(super) struct Site {
    egress: Egress,
    root: Url,
    follow_links: bool,
    queue: VecDeque<Url>,
    seen: HashSet<String>,
    robots: HashMap<String, Robots>,
    fetched: usize,
    most: usize,
    cut: bool,
}

impl Site {
    /// Detects whether the address is a sitemap, which lists pages, or a page, whose links
    /// are followed.
    pub(super) async fn open(egress: &Egress, url: &Url, most: usize) -> Result<Self, SearchError> {
        let mut site = Self {
            egress: egress.clone(),
            root: url.clone(),
            follow_links: false,
            queue: VecDeque::new(),
            seen: HashSet::new(),
            robots: HashMap::new(),
            fetched: 0,
            most: most.max(1),
            cut: false,
        };
        let is_sitemap = url.path().ends_with(".xml") || url.path().ends_with("sitemap");
        if is_sitemap {
            site.read_sitemaps(vec![url.clone()]).await?;
            return Ok(site);
        }
        site.follow_links = true;
        site.enqueue(url.clone());
        Ok(site)
    }

    pub(super) fn total(&self) -> usize {
        (self.fetched + self.queue.len()).min(self.most)
    }

    /// True if every page was fetched, so that a missing one is gone.
    pub(super) fn is_whole(&self) -> bool {
        !self.cut
    }

    /// Fetches the next pages concurrently.
    pub(super) async fn next_pages(
        &mut self,
        at_once: usize,
        etag: &(dyn Fn(&str) -> Option<String> + Sync),
    ) -> Vec<Candidate> {
        let mut batch = Vec::new();
        while batch.len() < at_once {
            let Some(url) = self.queue.pop_front() else {
                break;
            };
            if self.fetched >= self.most {
                self.cut = true;
                break;
            }
            if !self.robots_of(&url).await.allows(&path_of(&url)) {
                continue;
            }
            self.fetched += 1;
            batch.push(url);
        }
        // A 304 has no body, so no links: send unconditional requests while crawling.
        let etag_of = |url: &Url| etag(url.as_str()).filter(|_| !self.follow_links);
        let fetches = batch.iter().map(|url| {
            let etag = etag_of(url);
            let egress = self.egress.clone();
            async move { egress.fetch(url, etag.as_deref()).await }
        });
        let fetched = join_all(fetches).await;
        let mut found = Vec::new();
        for (url, page) in batch.into_iter().zip(fetched) {
            found.push(self.record_page(url, page));
        }
        found
    }

    fn record_page(
        &mut self,
        url: Url,
        page: Result<crate::egress::FetchedPage, FetchError>,
    ) -> Candidate {
        let name = url.path().trim_matches('/').to_owned();
        let content = match page {
            Ok(page) => {
                let format = page
                    .media_type
                    .as_deref()
                    .map_or(Some(Format::Html), Format::of_media_type);
                match format {
                    Some(format) => {
                        if self.follow_links && format == Format::Html {
                            self.follow(&page.url, &page.bytes, page.charset.as_deref());
                        }
                        Content::Page(Ok(Page {
                            bytes: page.bytes,
                            format,
                            charset: page.charset,
                            etag: page.etag,
                        }))
                    }
                    None => {
                        let what = format!(
                            "documents of type {} cannot be indexed",
                            page.media_type.unwrap_or_default()
                        );
                        Content::Page(Err(FailedUrl::new(url.as_str(), ErrorType::Parse, what)))
                    }
                }
            }
            Err(FetchError::NotModified) => Content::Unchanged,
            Err(error) => {
                // 404 and 410 mean that the page is gone; after any other failure it may
                // still exist.
                self.cut |= !matches!(error, FetchError::Status(404 | 410));
                Content::Page(Err(FailedUrl::new(url.as_str(), ErrorType::Http, error)))
            }
        };
        Candidate {
            url: url.to_string(),
            name,
            folder: String::new(),
            content,
        }
    }

    fn follow(&mut self, at: &Url, bytes: &[u8], charset: Option<&str>) {
        let Ok(document) = extract::document(bytes, Format::Html, charset) else {
            return;
        };
        let links = document.links;
        if links.no_follow {
            return;
        }
        let base = links
            .base
            .and_then(|base| at.join(&base).ok())
            .unwrap_or_else(|| at.clone());
        for link in links.to {
            if let Ok(url) = base.join(&link) {
                self.enqueue(url);
            }
        }
    }

    /// Queues a page once, if it belongs to the site.
    fn enqueue(&mut self, mut url: Url) {
        url.set_fragment(None);
        let same_host = url.host_str() == self.root.host_str()
            && url.port_or_known_default() == self.root.port_or_known_default()
            && matches!(url.scheme(), "http" | "https");
        let below = !self.follow_links || url.path().starts_with(folder_of(self.root.path()));
        if same_host && below && self.seen.insert(url.to_string()) {
            self.queue.push_back(url);
        }
    }

    async fn read_sitemaps(&mut self, first: Vec<Url>) -> Result<(), SearchError> {
        let mut left: VecDeque<Url> = first.into();
        let mut read = HashSet::new();
        while let Some(url) = left.pop_front() {
            // Also ends a loop of sitemaps.
            if !read.insert(url.to_string()) || read.len() > MOST_SITEMAPS {
                continue;
            }
            let page = self.egress.fetch(&url, None).await.map_err(|error| {
                SearchError::Invalid(format!("the sitemap {url} cannot be read: {error}"))
            })?;
            let Some(found) = sitemap::parse(&page.bytes) else {
                return Err(SearchError::Invalid(format!("{url} is not a sitemap")));
            };
            for page in found.pages.iter().filter_map(|page| url.join(page).ok()) {
                self.enqueue(page);
            }
            left.extend(found.sitemaps.iter().filter_map(|next| url.join(next).ok()));
        }
        Ok(())
    }

    async fn robots_of(&mut self, url: &Url) -> &Robots {
        let host = url.origin().ascii_serialization();
        if !self.robots.contains_key(&host) {
            let robots = self.fetch_robots(url).await;
            self.robots.insert(host.clone(), robots);
        }
        self.robots.entry(host).or_default()
    }

    async fn fetch_robots(&self, url: &Url) -> Robots {
        let Ok(address) = url.join("/robots.txt") else {
            return Robots::nothing_allowed();
        };
        match self.egress.fetch(&address, None).await {
            Ok(page) => Robots::parse(&String::from_utf8_lossy(&page.bytes)),
            // Without a robots.txt everything is allowed; after other failures nothing is.
            Err(FetchError::Status(status)) if (400..500).contains(&status) && status != 429 => {
                Robots::default()
            }
            // Each page then reports the address error itself.
            Err(FetchError::Address(_) | FetchError::Unreachable) => Robots::default(),
            Err(_) => Robots::nothing_allowed(),
        }
    }
}

fn path_of(url: &Url) -> String {
    match url.query() {
        Some(query) => format!("{}?{query}", url.path()),
        None => url.path().to_owned(),
    }
}

/// Everything up to the last slash.
fn folder_of(path: &str) -> &str {
    &path[..=path.rfind('/').unwrap_or(0)]
}
