//! Indexing folders and sites, repeatedly and after failures.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use axum::Router;
use axum::http::{StatusCode, Uri};
use axum::response::IntoResponse;
use frontdesk_core::embed::{EmbedError, Embedder, Embedding, Purpose};
use frontdesk_core::search::{Query, Scopes, Search, SearchError};
use reqwest::Url;
use tempfile::TempDir;
use tokio::net::TcpListener;

use super::{ErrorType, Ingest, Options, Progress, Report, Source, UploadedFile, check_name};
use crate::chunk;
use crate::egress::address::AllowedHosts;
use crate::egress::{Egress, Limits, SystemResolver};
use crate::index::embedded::EmbeddedIndex;
use crate::index::{Index, Place};
use crate::retrieval::Retrieval;

/// Embeds by counting letters, and counts its calls.
#[derive(Default)]
struct LetterEmbedder {
    texts: AtomicUsize,
    broken: AtomicBool,
}

#[async_trait]
impl Embedder for LetterEmbedder {
    fn model(&self) -> &str {
        "letters"
    }
    fn dimension(&self) -> usize {
        26
    }
    async fn embed(&self, texts: &[&str], _: Purpose) -> Result<Vec<Embedding>, EmbedError> {
        if self.broken.load(Ordering::SeqCst) {
            return Err(EmbedError::Unavailable("down".to_owned()));
        }
        self.texts.fetch_add(texts.len(), Ordering::SeqCst);
        texts
            .iter()
            .map(|text| {
                let mut counts = vec![0.01; 26];
                for letter in text.bytes().filter(u8::is_ascii_lowercase) {
                    counts[usize::from(letter - b'a')] += 1.0;
                }
                Embedding::new(counts, 26)
            })
            .collect()
    }
}

#[derive(Default)]
struct ProgressLog(Mutex<Vec<String>>);

impl Progress for ProgressLog {
    fn found(&self, _: usize) {}
    fn done(&self, url: &str) {
        self.0.lock().unwrap().push(url.to_owned());
    }
}

struct Fixture {
    _folder: TempDir,
    embedder: Arc<LetterEmbedder>,
    index: Arc<EmbeddedIndex>,
    ingest: Ingest,
}

const QUICK: Limits = Limits {
    first_pause: std::time::Duration::from_millis(1),
    longest_pause: std::time::Duration::from_millis(2),
    ..Limits::INGEST
};

fn bench(allowed: &[String]) -> Fixture {
    let folder = tempfile::tempdir().unwrap();
    let index = Arc::new(EmbeddedIndex::open(&folder.path().join("index.db")).unwrap());
    let embedder = Arc::new(LetterEmbedder::default());
    let egress = Egress::new(
        AllowedHosts::new(allowed.iter().cloned()),
        QUICK,
        Arc::new(SystemResolver),
    )
    .unwrap();
    Fixture {
        ingest: Ingest {
            index: index.clone(),
            embedder: Some(embedder.clone()),
            egress,
        },
        _folder: folder,
        embedder,
        index,
    }
}

fn options() -> Options {
    Options {
        place: Place {
            collection: "handbook".to_owned(),
            owner: None,
        },
        config: chunk::DEFAULT,
        dry_run: false,
        most_pages: 100,
        metadata: BTreeMap::new(),
        prune: true,
    }
}

impl Fixture {
    async fn path(&self, path: &Path, options: &Options) -> Report {
        self.ingest
            .run(
                &Source::Path(path.to_owned()),
                options,
                &ProgressLog::default(),
            )
            .await
            .unwrap()
    }

    async fn site(&self, address: &str) -> Result<Report, SearchError> {
        let source = Source::Address(Url::parse(address).unwrap());
        self.ingest
            .run(&source, &options(), &ProgressLog::default())
            .await
    }

    async fn found(&self, question: &str) -> Vec<String> {
        let retrieval = Retrieval {
            index: self.index.clone(),
            embedder: Some(self.embedder.clone()),
            reranker: None,
            public_url: "http://desk.example".to_owned(),
        };
        let query = Query::new(question, "handbook", Scopes::everyone());
        let result = retrieval.search(&query).await.unwrap();
        result.chunks.into_iter().map(|chunk| chunk.url).collect()
    }

    fn embedded(&self) -> usize {
        self.embedder.texts.swap(0, Ordering::SeqCst)
    }
}

fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    folder
}

#[tokio::test]
async fn a_folder_is_indexed_once_and_kept_up_to_date() {
    let bench = bench(&[]);
    let docs = folder(&[
        ("a.md", "# Approvals\n\nA person decides."),
        ("sub/b c.txt", "zebra zebra zebra"),
        ("page.html", "<title>Page</title><p>quick brown fox</p>"),
        ("ignored.png", "no document"),
        (".hidden.md", "hidden"),
    ]);
    let first = bench.path(docs.path(), &options()).await;
    assert_eq!(
        (
            first.success,
            first.unchanged,
            first.failed.len(),
            first.total_chunks
        ),
        (3, 0, 0, 3)
    );
    assert_eq!(bench.embedded(), 3);
    assert_eq!(
        bench.found("zebra").await[0],
        "http://desk.example/sources/handbook/sub/b%20c.txt"
    );

    let again = bench.path(docs.path(), &options()).await;
    assert_eq!((again.success, again.unchanged), (0, 3));
    bench.embedded();

    std::fs::write(
        docs.path().join("a.md"),
        "# Approvals\n\nTwo people decide.",
    )
    .unwrap();
    std::fs::remove_file(docs.path().join("sub/b c.txt")).unwrap();
    let changed = bench.path(docs.path(), &options()).await;
    assert_eq!(
        (changed.success, changed.unchanged, changed.removed),
        (1, 1, 1)
    );
    assert_eq!(bench.embedded(), 1, "only what changed is embedded");
    assert!(
        !bench
            .found("zebra")
            .await
            .iter()
            .any(|url| url.contains("b%20c"))
    );

    let config = frontdesk_core::search::ChunkConfig {
        chunk_size: 128,
        chunk_overlap: 0,
    };
    let recut = bench
        .path(
            docs.path(),
            &Options {
                config,
                ..options()
            },
        )
        .await;
    assert_eq!(recut.success, 2, "another cut is another content");
}

#[tokio::test]
async fn a_dry_run_counts_and_changes_nothing() {
    let bench = bench(&[]);
    let docs = folder(&[("a.md", "one two three")]);
    let report = bench
        .path(
            docs.path(),
            &Options {
                dry_run: true,
                ..options()
            },
        )
        .await;
    assert_eq!(
        (
            report.success,
            report.total_chunks,
            report.total_tokens,
            report.dry_run
        ),
        (1, 1, 3, true)
    );
    assert_eq!(bench.embedded(), 0);
    assert!(bench.index.collections(&[]).await.unwrap().is_empty());
}

#[tokio::test]
async fn bad_files_are_reported_and_the_rest_is_indexed() {
    let bench = bench(&[]);
    let docs = folder(&[
        ("good.md", "fine text"),
        ("scan.pdf", "%PDF-1.4 nothing"),
        ("broken.docx", "PK\u{3}\u{4}"),
        ("binary.txt", "a\0b"),
    ]);
    let huge = std::fs::File::create(docs.path().join("huge.txt")).unwrap();
    huge.set_len(200 * 1024 * 1024).unwrap();
    let report = bench.path(docs.path(), &options()).await;
    assert_eq!(report.success, 1);
    let mut failed: Vec<(&str, ErrorType)> = report
        .failed
        .iter()
        .map(|one| (one.url.rsplit('/').next().unwrap(), one.error_type))
        .collect();
    failed.sort_by_key(|(name, _)| *name);
    assert_eq!(
        failed,
        ["binary.txt", "broken.docx", "huge.txt", "scan.pdf"].map(|name| (name, ErrorType::Parse))
    );
    assert!(
        report
            .failed
            .iter()
            .any(|one| one.message.contains("200 MB"))
    );
    assert_eq!(
        serde_json::to_value(&report).unwrap()["failed"][0]["error_type"],
        "parse_error"
    );
    assert!((report.success_rate - 0.2).abs() < 1e-9);
}

#[tokio::test]
async fn a_failed_embedding_stores_nothing_and_the_next_run_resumes() {
    let bench = bench(&[]);
    let docs = folder(&[("a.md", "alpha"), ("b.md", "beta")]);
    bench.embedder.broken.store(true, Ordering::SeqCst);
    let report = bench.path(docs.path(), &options()).await;
    assert_eq!((report.success, report.failed.len()), (0, 2));
    assert!(
        report
            .failed
            .iter()
            .all(|one| one.error_type == ErrorType::Embedding)
    );
    assert!(bench.index.collections(&[]).await.unwrap().is_empty());
    bench.embedder.broken.store(false, Ordering::SeqCst);
    assert_eq!(bench.path(docs.path(), &options()).await.success, 2);
}

#[tokio::test]
async fn links_out_of_the_folder_are_not_followed() {
    let bench = bench(&[]);
    let secret = folder(&[("secret.md", "secret text")]);
    let docs = folder(&[("a.md", "open text")]);
    std::os::unix::fs::symlink(secret.path().join("secret.md"), docs.path().join("link.md"))
        .unwrap();
    std::os::unix::fs::symlink(secret.path(), docs.path().join("linked")).unwrap();
    assert_eq!(bench.path(docs.path(), &options()).await.success, 1);
}

#[tokio::test]
async fn a_missing_path_and_a_bad_name_are_errors() {
    let bench = bench(&[]);
    let missing = Source::Path("/no/such/folder".into());
    let error = bench
        .ingest
        .run(&missing, &options(), &ProgressLog::default())
        .await
        .unwrap_err();
    assert!(matches!(error, SearchError::Invalid(_)));
    for name in ["", "a b", "../x", "ä", &"x".repeat(65)] {
        assert!(check_name(name).is_err(), "{name}");
    }
    assert!(check_name("web_documents-2").is_ok());
}

/// Serves a site defined as a function of the path.
async fn site(
    pages: impl Fn(&str) -> Option<(&'static str, String)> + Clone + Send + Sync + 'static,
) -> (String, Arc<Mutex<Vec<String>>>) {
    let visits: Arc<Mutex<Vec<String>>> = Arc::default();
    let seen = Arc::clone(&visits);
    let handler = move |uri: Uri| {
        seen.lock().unwrap().push(uri.path().to_owned());
        let page = pages(uri.path());
        async move {
            match page {
                Some((kind, body)) => ([("content-type", kind)], body).into_response(),
                None => StatusCode::NOT_FOUND.into_response(),
            }
        }
    };
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    tokio::spawn(async move {
        axum::serve(listener, Router::new().fallback(handler))
            .await
            .unwrap()
    });
    (address, visits)
}

fn page(title: &str, links: &[&str]) -> Option<(&'static str, String)> {
    let links: String = links
        .iter()
        .map(|to| format!("<a href='{to}'>x</a>"))
        .collect();
    let text = "words that make this page long enough to be taken in as one";
    Some((
        "text/html",
        format!("<title>{title}</title><main><p>{title} {text}</p></main>{links}"),
    ))
}

#[tokio::test]
async fn a_site_is_followed_by_its_links() {
    let (address, visits) = site(|path| match path {
        "/docs/" => page(
            "start",
            &[
                "a",
                "/docs/b#part",
                "/docs/b",
                "/private",
                "http://127.0.0.1:1/other",
                "mailto:x@example.com",
                "/docs/secret/x",
                "/docs/missing",
                "/docs/tiny",
            ],
        ),
        "/docs/a" => page("alpha", &["/docs/", "b"]),
        "/docs/b" => page("beta", &[]),
        "/docs/secret/x" => page("secret", &[]),
        "/docs/tiny" => Some(("text/html", "<p>tiny</p>".to_owned())),
        "/private" => page("outside", &[]),
        "/robots.txt" => Some((
            "text/plain",
            "User-agent: *\nDisallow: /docs/secret/".to_owned(),
        )),
        _ => None,
    })
    .await;
    let bench = bench(std::slice::from_ref(&address));
    let report = bench
        .site(&format!("http://{address}/docs/"))
        .await
        .unwrap();
    assert_eq!(
        (report.success, report.skipped, report.failed.len()),
        (3, 1, 1)
    );
    assert_eq!(
        (
            report.failed[0].error_type,
            report.failed[0].message.as_str()
        ),
        (ErrorType::Http, "the server answered 404")
    );
    let visits = visits.lock().unwrap().clone();
    assert!(
        !visits
            .iter()
            .any(|path| path.contains("secret") || path == "/private"),
        "{visits:?}"
    );
    assert_eq!(
        visits.iter().filter(|path| *path == "/docs/b").count(),
        1,
        "no page is fetched twice"
    );
    assert_eq!(
        bench.found("alpha").await[0],
        format!("http://{address}/docs/a")
    );
}

#[tokio::test]
async fn a_loop_of_sitemaps_ends_and_removed_pages_disappear() {
    let address: Arc<Mutex<String>> = Arc::default();
    let gone = Arc::new(AtomicBool::new(false));
    let (here, less) = (Arc::clone(&address), Arc::clone(&gone));
    let (host, visits) = site(move |path| {
        let at = here.lock().unwrap().clone();
        match path {
            "/sitemap.xml" => Some(("application/xml", format!("<sitemapindex><sitemap><loc>http://{at}/sitemap.xml</loc></sitemap><sitemap><loc>http://{at}/more.xml</loc></sitemap></sitemapindex>"))),
            "/more.xml" => {
                let last = if less.load(Ordering::SeqCst) { String::new() } else { format!("<url><loc>http://{at}/two</loc></url>") };
                Some(("application/xml", format!("<urlset><url><loc>http://{at}/one</loc></url><url><loc>http://{at}/one</loc></url>{last}<url><loc>http://169.254.169.254/x</loc></url></urlset>")))
            }
            "/one" => page("one", &["/never"]),
            "/two" => page("two", &[]),
            "/never" => page("never", &[]),
            _ => None,
        }
    })
    .await;
    address.lock().unwrap().clone_from(&host);
    let bench = bench(std::slice::from_ref(&host));
    let report = bench
        .site(&format!("http://{host}/sitemap.xml"))
        .await
        .unwrap();
    assert_eq!((report.success, report.failed.len()), (2, 0));
    assert!(!visits.lock().unwrap().iter().any(|path| path == "/never"));
    gone.store(true, Ordering::SeqCst);
    let report = bench
        .site(&format!("http://{host}/sitemap.xml"))
        .await
        .unwrap();
    assert_eq!((report.unchanged, report.removed), (1, 1));
}

#[tokio::test]
async fn private_addresses_are_refused_as_pages_too() {
    let bench = bench(&[]);
    let report = bench.site("http://127.0.0.1/").await.unwrap();
    assert_eq!(report.failed[0].error_type, ErrorType::Http);
    assert!(report.failed[0].message.contains("address_not_allowed"));
    let error = bench.site("http://10.0.0.1/sitemap.xml").await.unwrap_err();
    assert!(error.to_string().contains("address_not_allowed"), "{error}");
}

#[tokio::test]
async fn without_vectors_keyword_search_answers_and_says_so() {
    let bench = bench(&[]);
    let docs = folder(&[("a.md", "zebra crossing"), ("b.md", "other text")]);
    let words = Ingest {
        embedder: None,
        index: bench.index.clone(),
        egress: bench.ingest.egress.clone(),
    };
    words
        .run(
            &Source::Path(docs.path().to_owned()),
            &options(),
            &ProgressLog::default(),
        )
        .await
        .unwrap();
    let retrieval = Retrieval {
        index: bench.index.clone(),
        embedder: None,
        reranker: None,
        public_url: "http://x".to_owned(),
    };
    let result = retrieval
        .search(&Query::new("zebra", "handbook", Scopes::everyone()))
        .await
        .unwrap();
    assert_eq!(result.chunks.len(), 1);
    assert!((0.9..=1.0).contains(&result.chunks[0].similarity_score));
    assert!(result.note.unwrap().contains("keywords"));
}

#[tokio::test]
async fn uploads_are_kept_beside_earlier_uploads() {
    let bench = bench(&[]);
    let sent = |path: &str, text: &str| UploadedFile {
        path: path.to_owned(),
        bytes: text.as_bytes().to_vec(),
    };
    let send = async |files: Vec<UploadedFile>| {
        bench
            .ingest
            .run(&Source::Upload(files), &options(), &ProgressLog::default())
            .await
    };
    let first = send(vec![
        sent(
            "guides/printer.md",
            "# Printer\n\nThe printer is in room 7.",
        ),
        sent("rules.txt", "No food beside the printer."),
        sent("broken.pdf", "%PDF-1.7 nothing"),
    ])
    .await
    .unwrap();
    assert_eq!((first.success, first.failed.len()), (2, 1), "{first:?}");
    let again = send(vec![sent("rules.txt", "No food beside the printer.")]).await;
    let again = again.unwrap();
    assert_eq!((again.unchanged, again.removed), (1, 0), "{again:?}");
    let kept = bench.index.documents("handbook", &[]).await.unwrap();
    let urls: Vec<&str> = kept.iter().map(|one| one.url.as_str()).collect();
    assert_eq!(
        urls,
        [
            "/sources/handbook/guides/printer.md",
            "/sources/handbook/rules.txt"
        ]
    );
    for path in [
        "",
        "../x.md",
        "/etc/passwd.md",
        "a//b.md",
        ".hidden.md",
        "a\\b.md",
        "x.exe",
        "x\n.md",
    ] {
        let refused = send(vec![
            sent("good.md", "# Good\n\nIt is."),
            sent(path, "text"),
        ])
        .await;
        assert!(matches!(refused, Err(SearchError::Invalid(_))), "{path:?}");
    }
    assert_eq!(
        bench.index.documents("handbook", &[]).await.unwrap().len(),
        2
    );
}

#[tokio::test]
async fn only_new_passages_of_a_changed_page_are_embedded() {
    let bench = bench(&[]);
    let folder = tempfile::tempdir().unwrap();
    let section =
        |n: usize, word: &str| format!("## Part {n}\n\n{}\n\n", format!("{word} ").repeat(400));
    let page = |last: &str| -> String {
        let parts = (0..6).map(|n| section(n, if n == 5 { last } else { "alpha" }));
        format!("# Page\n\n{}", parts.collect::<String>())
    };
    std::fs::write(folder.path().join("a.md"), page("beta")).unwrap();
    let first = bench.path(folder.path(), &options()).await;
    assert!(first.total_chunks >= 6, "{first:?}");
    let embedded = bench.embedder.texts.swap(0, Ordering::SeqCst);
    assert_eq!(embedded, first.total_chunks);
    std::fs::write(folder.path().join("a.md"), page("gamma")).unwrap();
    let second = bench.path(folder.path(), &options()).await;
    assert_eq!(second.success, 1, "{second:?}");
    let again = bench.embedder.texts.load(Ordering::SeqCst);
    // One of six sections changed.
    assert!(again >= 1 && again * 6 <= embedded, "{again} of {embedded}");
    assert!(!bench.found("gamma").await.is_empty());
}

#[path = "ingest_sources_tests.rs"]
mod ingest_sources_tests;
