//! One search over many passages, without an external service and without measure_embedding the
//! query: time, CPU, memory and recall.
//!
//! `cargo bench -p frontdesk-search --bench retrieval [-- PASSAGES…]`

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use chrono::Utc;
use frontdesk_core::embed::{Embedder, Embedding, Purpose};
use frontdesk_core::search::{ChunkConfig, Query, Scopes, Ways};
use frontdesk_search::embed::local::LocalEmbedder;
use frontdesk_search::index::embedded::EmbeddedIndex;
use frontdesk_search::index::{Index, NewDocument, NewPassage, Place};
use frontdesk_testkit::weights;
use rustix::time::{ClockId, clock_gettime};

type Failure = Box<dyn std::error::Error>;

const DIMENSION: usize = 384;
const COLLECTION: &str = "bench";
/// Words per passage, and the size of the vocabulary.
const WORDS: usize = 120;
const VOCABULARY: f64 = 30_000.0;
/// Measured queries, after as many for warm-up.
const QUESTIONS: usize = 300;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Failure> {
    let asked: Vec<usize> = std::env::args()
        .skip(1)
        .filter_map(|word| word.parse().ok())
        .collect();
    let counts = if asked.is_empty() {
        vec![1_000, 50_000, 200_000]
    } else {
        asked
    };
    println!(
        "| passages | search p50 | p99 | CPU per search | semantic | keywords | recall@10 | first search | p50 of the first 300 | memory | file | indexing |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|");
    for count in counts {
        measure(count).await?;
    }
    measure_embedding().await
}

/// The cost of the local model: a short query, and a full window.
async fn measure_embedding() -> Result<(), Failure> {
    const TIMES: u32 = 20;
    let Some(embedder) = LocalEmbedder::find(&weights::folder()) else {
        return Ok(());
    };
    let full = "approvals wait for people who decide ".repeat(60);
    for (what, text) in [
        ("a question", "How do approvals work?"),
        ("256 tokens", &full),
    ] {
        embedder.embed(&[text], Purpose::Query).await?;
        let (begin, used) = (Instant::now(), cpu());
        for _ in 0..TIMES {
            embedder.embed(&[text], Purpose::Query).await?;
        }
        let (took, used) = (begin.elapsed() / TIMES, (cpu() - used) / TIMES);
        println!("{what} embedded: {took:.1?}, {used:.1?} of CPU");
    }
    measure_bulk_embedding(&embedder).await
}

/// The bottleneck of indexing: measure_embedding chunk-sized passages in bulk.
async fn measure_bulk_embedding(embedder: &LocalEmbedder) -> Result<(), Failure> {
    const PASSAGES: usize = 64;
    let passage = "An approval waits for a person who decides within ten minutes. ".repeat(20);
    let passages = vec![passage.as_str(); PASSAGES];
    let begin = Instant::now();
    embedder.embed(&passages, Purpose::Document).await?;
    let second = PASSAGES as f64 / begin.elapsed().as_secs_f64();
    let words = passage.split(' ').count();
    println!("passages of {words} words embedded on all cores: {second:.1} per second");
    Ok(())
}

async fn measure(count: usize) -> Result<(), Failure> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("index.db");
    let mut random = Random(7);
    let vectors = clustered(count, &mut random)?;
    let begin = Instant::now();
    fill(&EmbeddedIndex::open(&path)?, &vectors, &mut random).await?;
    let taken_in = begin.elapsed();

    let index = EmbeddedIndex::open(&path)?;
    let before = memory();
    let begin = Instant::now();
    index
        .find(&question("warm", Ways::Both), Some(&vectors[0]))
        .await?;
    let first = begin.elapsed();

    let others = questions(&vectors, &mut random)?;
    let others = run(&index, &others, Ways::Both).await?;
    let questions = questions(&vectors, &mut random)?;
    let both = run(&index, &questions, Ways::Both).await?;
    let used = memory().saturating_sub(before);
    let by_meaning = run(&index, &questions, Ways::Meaning).await?;
    let by_words = run(&index, &questions, Ways::Words).await?;
    let recall = recall(&by_meaning.nearest, &questions, &vectors);
    let file = std::fs::metadata(&path)?.len() / 1_000_000;
    println!(
        "| {count} | {:.1?} | {:.1?} | {:.1?} | {:.1?} | {:.1?} | {recall:.4} | {first:.0?} | {:.1?} | {used} MB | {file} MB | {taken_in:.1?} |",
        both.at(0.5),
        both.at(0.99),
        both.cpu,
        by_meaning.at(0.5),
        by_words.at(0.5),
        others.at(0.5),
    );
    Ok(())
}

/// Queries near the stored vectors, with realistic words.
fn questions(
    vectors: &[Embedding],
    random: &mut Random,
) -> Result<Vec<(String, Embedding)>, Failure> {
    let mut questions = Vec::new();
    for n in 0..QUESTIONS {
        let near = vectors[n * vectors.len() / QUESTIONS].values().iter();
        let values = near.map(|value| value + 0.04 * random.around_zero());
        let vector = Embedding::new(values.collect(), DIMENSION)?;
        questions.push((text(6, random), vector));
    }
    Ok(questions)
}

struct Run {
    /// Sorted.
    times: Vec<Duration>,
    cpu: Duration,
    /// Similarities of the hits, by query.
    nearest: Vec<Vec<f32>>,
}

impl Run {
    fn at(&self, share: f64) -> Duration {
        let last = self.times.len().saturating_sub(1);
        self.times[(last as f64 * share) as usize]
    }
}

async fn run(
    index: &EmbeddedIndex,
    questions: &[(String, Embedding)],
    ways: Ways,
) -> Result<Run, Failure> {
    let (mut times, mut nearest) = (Vec::new(), Vec::new());
    let cpu = cpu();
    for (text, vector) in questions {
        let vector = (ways != Ways::Words).then_some(vector);
        let begin = Instant::now();
        let hits = index.find(&question(text, ways), vector).await?;
        times.push(begin.elapsed());
        nearest.push(hits.iter().filter_map(|hit| hit.cosine).collect());
    }
    let cpu = (self::cpu() - cpu) / questions.len() as u32;
    times.sort();
    Ok(Run {
        times,
        cpu,
        nearest,
    })
}

/// The share of the true ten nearest that were found.
fn recall(found: &[Vec<f32>], questions: &[(String, Embedding)], vectors: &[Embedding]) -> f64 {
    let mut right = 0;
    for (found, (_, question)) in found.iter().zip(questions) {
        let mut truth: Vec<f32> = vectors
            .iter()
            .map(|vector| vector.cosine(question))
            .collect();
        truth.sort_by(|a, b| b.total_cmp(a));
        let tenth = truth[9] - 1e-6;
        right += found
            .iter()
            .filter(|similarity| **similarity >= tenth)
            .count();
    }
    right as f64 / (10 * questions.len()) as f64
}

fn question(text: &str, ways: Ways) -> Query {
    Query {
        top_k: 10,
        ways,
        ..Query::new(text, COLLECTION, Scopes::everyone())
    }
}

async fn fill(
    index: &EmbeddedIndex,
    vectors: &[Embedding],
    random: &mut Random,
) -> Result<(), Failure> {
    for (n, batch) in vectors.chunks(200).enumerate() {
        let passages = batch.iter().map(|vector| {
            let text = text(WORDS, random);
            NewPassage {
                searched: text.clone(),
                tokens: WORDS as u32,
                begin: 0,
                end: text.len(),
                context: 0..text.len(),
                section: String::new(),
                page: None,
                text,
                vector: Some(vector.clone()),
            }
        });
        let document = NewDocument {
            place: Place {
                collection: COLLECTION.to_owned(),
                owner: None,
            },
            source: "bench".to_owned(),
            url: format!("/{n}"),
            title: format!("Document {n}"),
            text: String::new(),
            hash: String::new(),
            etag: None,
            metadata: BTreeMap::new(),
            config: ChunkConfig {
                chunk_size: 512,
                chunk_overlap: 50,
            },
            taken: Utc::now(),
            model: "bench".to_owned(),
            passages: passages.collect(),
        };
        index.put(document).await?;
    }
    Ok(())
}

/// Words with a realistic frequency distribution.
fn text(words: usize, random: &mut Random) -> String {
    let words: Vec<String> = (0..words)
        .map(|_| format!("word{}", VOCABULARY.powf(random.share()) as u32))
        .collect();
    words.join(" ")
}

/// Vectors in clusters, as real embeddings are.
fn clustered(count: usize, random: &mut Random) -> Result<Vec<Embedding>, Failure> {
    let centres: Vec<Vec<f32>> = (0..200)
        .map(|_| (0..DIMENSION).map(|_| random.around_zero()).collect())
        .collect();
    (0..count)
        .map(|n| {
            let centre = centres[n % centres.len()].iter();
            let values = centre.map(|value| value + 0.7 * random.around_zero());
            Ok(Embedding::new(values.collect(), DIMENSION)?)
        })
        .collect()
}

struct Random(u64);

impl Random {
    fn share(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as f64 / (1_u64 << 31) as f64
    }

    fn around_zero(&mut self) -> f32 {
        self.share() as f32 - 0.5
    }
}

fn cpu() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec as u32)
}

/// Resident memory in megabytes.
fn memory() -> usize {
    let pages = std::fs::read_to_string("/proc/self/statm").ok();
    let resident = pages.and_then(|pages| pages.split(' ').nth(1)?.parse::<usize>().ok());
    resident.unwrap_or(0) * 4096 / 1_000_000
}
