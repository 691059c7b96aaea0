//! The kind of facility, how it is cleaned and what its floors are made of, by the words for them.

use std::sync::LazyLock;

use regex::Regex;

use super::super::catalogue::Surface;
use super::super::keys::Key;
use super::super::quantity::pattern;
use super::super::roi::Confidence;
use super::Reading;
use super::sentences::Sentence;

/// A kind of building that is recognised by its words. Any other kind is accepted as free text.
#[derive(Debug, PartialEq)]
pub(crate) struct Facility {
    pub(crate) name: &'static str,
    /// Words that name it, in small letters.
    words: &'static [&'static str],
    /// Square metres of floor for each court, with the space around it.
    pub(crate) court_m2: Option<f64>,
}

const fn kind(
    name: &'static str,
    court_m2: Option<f64>,
    words: &'static [&'static str],
) -> Facility {
    Facility {
        name,
        words,
        court_m2,
    }
}

#[rustfmt::skip]
static KINDS: [Facility; 24] = [
    kind("Pickleball Club", Some(167.0), &["pickleball"]),
    kind("Tennis Club", Some(669.0), &["tennis"]),
    kind("Padel Club", Some(200.0), &["padel"]),
    kind("Gym", None, &["fitness", "gym "]),
    kind("Sports Hall", None, &["sports hall", "sports centre", "sports center"]),
    kind("Restaurant", None, &["restaurant", "bistro", "diner", "cafeteria", "canteen"]),
    kind("Hotel", None, &["hotel", "resort", "hostel"]),
    kind("Hospital", None, &["hospital", "clinic", "medical center", "medical centre"]),
    kind("Care Home", None, &["care home", "nursing home"]),
    kind("School", None, &["school", "kindergarten"]),
    kind("University", None, &["university", "college", "campus"]),
    kind("Office Building", None, &["office building", "office tower", "office block", "offices", "headquarters"]),
    kind("Airport", None, &["airport", "terminal"]),
    kind("Station", None, &["train station", "railway station", "metro station", "bus station"]),
    kind("Supermarket", None, &["supermarket", "grocery", "hypermarket"]),
    kind("Shopping Centre", None, &["shopping centre", "shopping center", "shopping mall", "department store"]),
    kind("Shop", None, &["retail store", "our store", "our shop"]),
    kind("Warehouse", None, &["warehouse", "distribution center", "distribution centre", "fulfillment center", "fulfilment centre", "logistics center", "logistics centre"]),
    kind("Factory", None, &["factory", "manufacturing plant", "production hall", "production plant"]),
    kind("Datacenter", None, &["datacenter", "data center", "data centre", "datacentre", "server hall"]),
    kind("Museum", None, &["museum", "gallery"]),
    kind("Library", None, &["library"]),
    kind("Cinema", None, &["cinema", "movie theater", "theatre"]),
    kind("Convention Centre", None, &["convention centre", "convention center", "exhibition hall"]),
];

impl Facility {
    /// The first known kind that a text names.
    pub(crate) fn named(text: &str) -> Option<&'static Facility> {
        let lower = format!("{} ", text.to_lowercase());
        Facility::mentions(&lower)
            .first()
            .map(|(facility, _)| *facility)
    }

    /// Every known kind that a text names, by position.
    fn mentions(lower: &str) -> Vec<(&'static Facility, usize)> {
        let places = KINDS.iter().flat_map(|facility| {
            let words = facility.words.iter();
            words.filter_map(move |word| {
                let at = lower.find(word)?;
                begins_word(lower, word).then_some((facility, at))
            })
        });
        let mut found: Vec<_> = places.collect();
        found.sort_by_key(|(_, at)| *at);
        found
    }

    /// Whether a text names a kind of facility and nothing else, so that it is no company name.
    pub(crate) fn is_bare(text: &str) -> bool {
        let lower = text.to_lowercase();
        let Some(facility) = Facility::named(&lower) else {
            return false;
        };
        let mut rest = lower;
        for word in facility.words {
            rest = rest.replace(word.trim(), " ");
        }
        const FILLING: [&str; 18] = [
            "a", "an", "the", "our", "my", "club", "clubs", "s", "center", "centre", "court",
            "courts", "facility", "company", "we", "are", "building", "tower",
        ];
        rest.split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .all(|word| FILLING.contains(&word))
    }
}

/// "we run a bowling alley": the kind of building in the person's own words, for kinds that are
/// not in the list.
fn introduced(lower: &str) -> Option<String> {
    static INTRODUCED: LazyLock<Option<Regex>> = LazyLock::new(|| {
        pattern(
            r"^(?:hi[,.!]? |hello[,.!]? )?(?:(?:we|i)\s+(?:run|manage|operate|own)|we\s*(?:'re|are))\s+an?\s+([a-z][a-z -]{2,40}?)\s*(?:[,.;!]|$|\b(?:with|of|in|at|and|near|where|that|which|for)\b)",
        )
    });
    let found = INTRODUCED.as_ref()?.captures(lower)?;
    let kind = found.get(1)?.as_str().trim();
    let is_other = [
        "bit", "lot", "team", "crew", "company", "business", "firm", "group", "robot", "service",
    ]
    .iter()
    .any(|word| kind.contains(word));
    (!is_other).then(|| capitalised(kind))
}

pub(crate) fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    let first: String = chars
        .next()
        .map(|c| c.to_uppercase().collect())
        .unwrap_or_default();
    format!("{first}{}", chars.as_str())
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
    let named = |surface: &Surface| {
        surface_words(*surface)
            .iter()
            .any(|word| begins_word(&lower, word))
    };
    Surface::ALL.into_iter().filter(named).collect()
}

/// Beginnings of the words for a floor, in small letters.
fn surface_words(surface: Surface) -> &'static [&'static str] {
    match surface {
        Surface::Hard => &[
            "hard floor",
            "hard surface",
            "hard court",
            "acrylic",
            "asphalt",
            "rubber",
        ],
        Surface::Wood => &["wood", "hardwood", "parquet", "laminate"],
        Surface::Tile => &["tile", "ceramic", "porcelain"],
        Surface::Concrete => &["concrete", "cement", "screed"],
        Surface::Epoxy => &["epoxy"],
        Surface::Vinyl => &["vinyl", "linoleum", "lino ", "pvc"],
        Surface::Marble => &[
            "marble",
            "terrazzo",
            "granite",
            "natural stone",
            "stone floor",
        ],
        Surface::Carpet => &["carpet"],
    }
}

fn begins_word(lower: &str, word: &str) -> bool {
    lower.match_indices(word).any(|(at, _)| {
        !lower[..at]
            .chars()
            .next_back()
            .is_some_and(char::is_alphanumeric)
    })
}

/// Sentences about robots state no fact about the floor.
fn speaks_of_robots(lower: &str) -> bool {
    ["robot", "machine that", "want something", "looking for"]
        .iter()
        .any(|word| lower.contains(word))
}

pub(super) fn read(sentence: &Sentence<'_>, reading: &mut Reading) {
    if sentence.is_question {
        return;
    }
    let lower = &sentence.lower;
    let mut mentioned = Facility::mentions(lower)
        .into_iter()
        .filter(|(_, at)| !is_denied(lower, *at));
    if let Some((facility, _)) = mentioned.next() {
        if !serves(lower) {
            reading.put(
                Key::CompanyType,
                facility.name,
                sentence.text,
                Confidence::High,
            );
        }
    } else if let Some(kind) = introduced(lower) {
        reading.put(Key::CompanyType, &kind, sentence.text, Confidence::Medium);
    }
    if speaks_of_robots(lower) {
        return;
    }
    let ways = methods(lower);
    if !ways.is_empty() && !denies(lower) {
        reading.put(
            Key::Method,
            &ways.join(", "),
            sentence.text,
            Confidence::High,
        );
    }
    let floors = surfaces(lower);
    if !floors.is_empty() && !denies(lower) {
        let names: Vec<&str> = floors.iter().map(|surface| surface.name()).collect();
        reading.put(
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
