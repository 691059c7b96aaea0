//! The kind of facility, how it is cleaned and what its floors are made of, by the words for them.

use std::sync::LazyLock;

use regex::Regex;

use super::super::catalogue::Surface;
use super::super::keys::Key;
use super::super::quantity::pattern;
use super::super::roi::Confidence;
use super::Read;
use super::sentences::Sentence;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Facility {
    PickleballClub,
    TennisClub,
    Restaurant,
    Warehouse,
    Datacenter,
}

impl Facility {
    const ALL: [Facility; 5] = [
        Facility::PickleballClub,
        Facility::TennisClub,
        Facility::Restaurant,
        Facility::Warehouse,
        Facility::Datacenter,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Facility::PickleballClub => "Pickleball Club",
            Facility::TennisClub => "Tennis Club",
            Facility::Restaurant => "Restaurant",
            Facility::Warehouse => "Warehouse",
            Facility::Datacenter => "Datacenter",
        }
    }

    /// Words that name it, in small letters.
    fn words(self) -> &'static [&'static str] {
        match self {
            Facility::PickleballClub => &["pickleball"],
            Facility::TennisClub => &["tennis"],
            Facility::Restaurant => &["restaurant", "bistro", "diner", "cafeteria"],
            Facility::Warehouse => &[
                "warehouse",
                "distribution center",
                "distribution centre",
                "fulfillment center",
                "fulfilment centre",
            ],
            Facility::Datacenter => &[
                "datacenter",
                "data center",
                "data centre",
                "datacentre",
                "server hall",
            ],
        }
    }

    pub(crate) fn has_courts(self) -> bool {
        match self {
            Facility::PickleballClub | Facility::TennisClub => true,
            Facility::Restaurant | Facility::Warehouse | Facility::Datacenter => false,
        }
    }

    /// The first kind that a text names.
    pub(crate) fn named(text: &str) -> Option<Facility> {
        Facility::mentions(&text.to_lowercase())
            .first()
            .map(|(facility, _)| *facility)
    }

    /// Every kind that a text names, in the order of their places.
    fn mentions(lower: &str) -> Vec<(Facility, usize)> {
        let places = Facility::ALL.into_iter().flat_map(|facility| {
            let words = facility.words().iter();
            words.filter_map(move |word| Some((facility, lower.find(word)?)))
        });
        let mut found: Vec<(Facility, usize)> = places.collect();
        found.sort_by_key(|(_, at)| *at);
        found
    }

    /// Whether a text says a kind of facility and nothing else: it is no name.
    pub(crate) fn is_bare(text: &str) -> bool {
        let lower = text.to_lowercase();
        let Some(facility) = Facility::named(&lower) else {
            return false;
        };
        let mut rest = lower;
        for word in facility.words() {
            rest = rest.replace(word, " ");
        }
        const FILLING: [&str; 16] = [
            "a", "an", "the", "our", "my", "club", "clubs", "s", "center", "centre", "court",
            "courts", "facility", "company", "we", "are",
        ];
        rest.split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .all(|word| FILLING.contains(&word))
    }
}

/// Ways of cleaning that a text names, as they are offered.
pub(crate) fn methods(text: &str) -> Vec<&'static str> {
    let lower = text.to_lowercase();
    let ways: [(&str, &[&str]); 4] = [
        ("Vacuum", &["vacuum", "hoover"]),
        ("Sweep", &["sweep", "swept", "broom"]),
        ("Mop", &["mop"]),
        ("Scrub", &["scrub"]),
    ];
    let said = |words: &&[&str]| words.iter().any(|word| begins_word(&lower, word));
    ways.into_iter()
        .filter(|(_, words)| said(words))
        .map(|(name, _)| name)
        .collect()
}

pub(crate) fn surfaces(text: &str) -> Vec<Surface> {
    let lower = text.to_lowercase();
    let named = |surface: &Surface| match surface {
        Surface::Hard => [
            "hard floor",
            "hard surface",
            "hard court",
            "acrylic",
            "asphalt",
            "rubber",
        ]
        .iter()
        .any(|word| lower.contains(word)),
        Surface::Wood => ["wood", "parquet"].iter().any(|word| lower.contains(word)),
        Surface::Tile
        | Surface::Concrete
        | Surface::Epoxy
        | Surface::Vinyl
        | Surface::Marble
        | Surface::Carpet => begins_word(&lower, surface.name()),
    };
    Surface::ALL.into_iter().filter(named).collect()
}

fn begins_word(lower: &str, word: &str) -> bool {
    lower.match_indices(word).any(|(at, _)| {
        !lower[..at]
            .chars()
            .next_back()
            .is_some_and(char::is_alphanumeric)
    })
}

/// What is said of a robot is no fact about the floor.
fn speaks_of_robots(lower: &str) -> bool {
    ["robot", "machine that", "want something", "looking for"]
        .iter()
        .any(|word| lower.contains(word))
}

pub(super) fn read(sentence: &Sentence<'_>, read: &mut Read) {
    if sentence.is_question {
        return;
    }
    let lower = &sentence.lower;
    let mut mentioned = Facility::mentions(lower)
        .into_iter()
        .filter(|(_, at)| !is_denied(lower, *at));
    if let Some((facility, _)) = mentioned.next()
        && !serves(lower)
    {
        read.put(
            Key::CompanyType,
            facility.name(),
            sentence.text,
            Confidence::High,
        );
    }
    if speaks_of_robots(lower) {
        return;
    }
    let ways = methods(lower);
    if !ways.is_empty() && !denies(lower) {
        read.put(
            Key::Method,
            &ways.join(", "),
            sentence.text,
            Confidence::High,
        );
    }
    let floors = surfaces(lower);
    if !floors.is_empty() && !denies(lower) {
        let names: Vec<&str> = floors.iter().map(|surface| surface.name()).collect();
        read.put(
            Key::Surfaces,
            &names.join(", "),
            sentence.text,
            Confidence::High,
        );
    }
}

/// "not a restaurant", "we are no warehouse".
fn is_denied(lower: &str, at: usize) -> bool {
    static DENIED: LazyLock<Option<Regex>> = LazyLock::new(|| {
        pattern(r"(?:\bnot|n't|\bno|\bnever|\bnext to|\bnear)\s+(?:an?\s+|the\s+)?$")
    });
    let before = lower.get(..at).unwrap_or_default();
    DENIED
        .as_ref()
        .is_some_and(|denied| denied.is_match(before))
}

fn denies(lower: &str) -> bool {
    static DENIES: LazyLock<Option<Regex>> =
        LazyLock::new(|| pattern(r"\b(?:not|never|no)\b|n't\b"));
    DENIES.as_ref().is_some_and(|denies| denies.is_match(lower))
}

/// "we have a small restaurant inside": food on site, not what the place is.
fn serves(lower: &str) -> bool {
    static SERVES: LazyLock<Option<Regex>> = LazyLock::new(|| {
        pattern(
            r"\b(?:have|has|with|there is|there's)\s+(?:an?|our own)\s+(?:\w+\s+)?(?:restaurant|bistro|diner|cafeteria)",
        )
    });
    SERVES.as_ref().is_some_and(|serves| serves.is_match(lower))
}
