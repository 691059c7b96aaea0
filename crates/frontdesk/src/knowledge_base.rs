//! The searchable documents: the index, the embedder and the demo documents, which are indexed on
//! the first search or at server start.

use std::sync::{Arc, OnceLock};

use anyhow::Context;
use async_trait::async_trait;
use frontdesk_bundle::DemoDocuments;
use frontdesk_core::embed::Embedder;
use frontdesk_core::search::{Query, RetrievalResult, Search, SearchError};
use frontdesk_search::egress::address::AllowedHosts;
use frontdesk_search::egress::{Egress, Limits, SystemResolver};
use frontdesk_search::embed::local::LocalEmbedder;
use frontdesk_search::embed::query_cache::QueryCache;
use frontdesk_search::embed::remote::{RemoteEmbedder, RemoteReranker};
use frontdesk_search::index::embedded::EmbeddedIndex;
use frontdesk_search::index::qdrant::QdrantIndex;
use frontdesk_search::index::{Index, Place};
use frontdesk_search::ingest::{Ingest, Options, Progress, Source};
use frontdesk_search::retrieval::Retrieval;
use tokio::sync::OnceCell;

use crate::app::make_data_dir;
use crate::config::{Config, Embeddings, Rerank};

const INDEX_FILE: &str = "index.db";
/// Default limit on the pages of a site.
pub const MOST_PAGES: usize = 1_000;

pub struct KnowledgeBase {
    pub retrieval: Retrieval,
    pub ingest: Ingest,
    options: Options,
    demo: OnceLock<Vec<DemoDocuments>>,
    seeded: OnceCell<()>,
}

impl KnowledgeBase {
    /// `local` is the local embedding model, if it is installed.
    pub fn open(
        config: &Config,
        local: Option<Arc<dyn Embedder>>,
    ) -> anyhow::Result<KnowledgeBase> {
        let search = &config.search;
        let embedder = embedder(&search.embeddings, local)?
            .map(|embedder| Arc::new(QueryCache::new(embedder)) as Arc<dyn Embedder>);
        let index: Arc<dyn Index> = match &search.qdrant {
            Some((url, key)) => {
                let dimension = embedder.as_ref().map_or(1, |embedder| embedder.dimension());
                let qdrant = QdrantIndex::new(url, key.clone(), dimension)
                    .context("setting `search.qdrant_url`")?;
                Arc::new(qdrant)
            }
            None => Arc::new(embedded(config)?),
        };
        let reranker = match &search.rerank {
            Some(rerank) => {
                let Rerank {
                    base_url,
                    api_key,
                    model,
                } = rerank.clone();
                Some(RemoteReranker::new(&base_url, api_key, model)?)
            }
            None => None,
        };
        let allowed = AllowedHosts::new(search.allowed_hosts.iter().cloned());
        let egress = Egress::new(allowed, Limits::INGEST, Arc::new(SystemResolver))?;
        Ok(KnowledgeBase {
            retrieval: Retrieval {
                index: Arc::clone(&index),
                embedder: embedder.clone(),
                reranker,
                public_url: config.server.public_url.clone(),
            },
            ingest: Ingest {
                index,
                embedder,
                egress,
            },
            options: Options {
                place: Place {
                    collection: String::new(),
                    owner: None,
                },
                config: search.chunks,
                dry_run: false,
                most_pages: MOST_PAGES,
                metadata: std::collections::BTreeMap::new(),
                prune: true,
            },
            demo: OnceLock::new(),
            seeded: OnceCell::new(),
        })
    }

    pub fn options(&self, collection: &str) -> Options {
        Options {
            place: Place {
                collection: collection.to_owned(),
                owner: None,
            },
            ..self.options.clone()
        }
    }

    pub fn add_demo(&self, documents: Vec<DemoDocuments>) {
        // Called once, when the app opens.
        let _ = self.demo.set(documents);
    }

    /// Indexes the demo documents once; concurrent callers wait for it.
    pub async fn index_demo(&self) -> Result<(), SearchError> {
        self.seeded
            .get_or_try_init(|| async {
                for documents in self.demo.get().into_iter().flatten() {
                    let source = Source::Bundled(documents.files);
                    let options = self.options(documents.collection);
                    self.ingest.run(&source, &options, &Quiet).await?;
                }
                Ok(())
            })
            .await
            .copied()
    }

    /// Description of the embedder; `None` for keywords only.
    pub fn embeds_with(&self) -> Option<&str> {
        self.retrieval
            .embedder
            .as_ref()
            .map(|embedder| embedder.model())
    }
}

impl KnowledgeBase {
    /// True if embeddings of other languages mean little.
    pub fn embeds_only_english(&self) -> bool {
        let embedder = self.retrieval.embedder.as_ref();
        embedder.is_some_and(|embedder| embedder.knows_only_english())
    }
}

#[async_trait]
impl Search for KnowledgeBase {
    async fn search(&self, query: &Query) -> Result<RetrievalResult, SearchError> {
        query.check()?;
        self.index_demo().await?;
        self.retrieval.search(query).await
    }

    async fn replace(
        &self,
        collection: &str,
        documents: Vec<(String, String)>,
    ) -> Result<(), SearchError> {
        let options = self.options(collection);
        let source = Source::Documents(documents);
        let report = self.ingest.run(&source, &options, &Quiet).await?;
        match report.failed.first() {
            Some(failed) => Err(SearchError::Index(format!("{failed:?}"))),
            None => Ok(()),
        }
    }
}

/// The local embedding model, if it is installed.
pub fn local_embedder(config: &Config) -> Option<Arc<dyn Embedder>> {
    let found = LocalEmbedder::find(config.embeddings_folder.as_deref()?)?;
    Some(Arc::new(found))
}

fn embedder(
    embeddings: &Embeddings,
    local: Option<Arc<dyn Embedder>>,
) -> anyhow::Result<Option<Arc<dyn Embedder>>> {
    Ok(match embeddings {
        Embeddings::None => None,
        Embeddings::Local => local,
        Embeddings::Cohere(remote) => Some(RemoteEmbedder::cohere(remote.clone())?),
        Embeddings::OpenAi(remote) => Some(RemoteEmbedder::openai(remote.clone())?),
    })
}

fn embedded(config: &Config) -> anyhow::Result<EmbeddedIndex> {
    make_data_dir(&config.data_dir)?;
    let path = config.data_dir.join(INDEX_FILE);
    EmbeddedIndex::open(&path).with_context(|| {
        format!(
            "the index {} cannot be opened; move it away and index the documents again",
            path.display()
        )
    })
}

/// Discards progress reports.
pub struct Quiet;

impl Progress for Quiet {
    fn found(&self, _: usize) {}
    fn done(&self, _: &str) {}
}
