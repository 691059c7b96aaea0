//! Finds the twelve sections of a pasted job ad, by headings first and by telling phrases where there are none.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::tata::domain::notes::lines::{LineKind, line};
use crate::tata::domain::text::phrasebook::Phrasebook;
use crate::tata::domain::text::words::{word_count, words};

#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum AdSection {
    Headline,
    Intro,
    RoleDescription,
    Responsibilities,
    Requirements,
    SoftSkills,
    GoodToHaves,
    TeamInfo,
    CompanyInfo,
    Benefits,
    Process,
    CallToAction,
}

impl AdSection {
    pub const ALL: [AdSection; 12] = [
        AdSection::Headline,
        AdSection::Intro,
        AdSection::RoleDescription,
        AdSection::Responsibilities,
        AdSection::Requirements,
        AdSection::SoftSkills,
        AdSection::GoodToHaves,
        AdSection::TeamInfo,
        AdSection::CompanyInfo,
        AdSection::Benefits,
        AdSection::Process,
        AdSection::CallToAction,
    ];
}

/// `ad_sections.toml`.
#[derive(Debug, Deserialize)]
#[serde(transparent)]
pub(crate) struct AdSections(BTreeMap<AdSection, SectionCues>);

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SectionCues {
    headings: Vec<String>,
    phrases: Vec<String>,
}

#[derive(Debug)]
pub(crate) struct SectionBooks {
    headings: Phrasebook<AdSection>,
    phrases: Phrasebook<AdSection>,
}

impl SectionBooks {
    pub(crate) fn new(sections: &AdSections) -> Self {
        let headings = sections
            .0
            .iter()
            .flat_map(|(s, c)| c.headings.iter().map(|h| (h, *s)));
        let phrases = sections
            .0
            .iter()
            .flat_map(|(s, c)| c.phrases.iter().map(|p| (p, *s)));
        SectionBooks {
            headings: Phrasebook::new(headings),
            phrases: Phrasebook::new(phrases),
        }
    }
}

/// The text found for a section.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SectionText {
    pub(crate) text: String,
    pub(crate) bullets: usize,
    pub(crate) lines: usize,
}

impl SectionText {
    fn add(&mut self, text: &str, kind: LineKind) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.text.push_str(text);
        self.lines += 1;
        self.bullets += usize::from(kind == LineKind::Bullet);
    }
}

const LONGEST_HEADLINE: usize = 15;
const LONGEST_HEADING: usize = 8;

pub(crate) fn find_sections(ad: &str, books: &SectionBooks) -> BTreeMap<AdSection, SectionText> {
    let mut found: BTreeMap<AdSection, SectionText> = BTreeMap::new();
    let mut current: Option<AdSection> = None;
    let mut headed = false;
    let mut loose: Vec<String> = Vec::new();
    let mut after_blank = true;
    let mut first = true;
    for raw in ad.lines() {
        let line = line(raw);
        if line.kind == LineKind::Blank {
            after_blank = true;
            continue;
        }
        let place = match (first, after_blank) {
            (true, _) => Place::First,
            (false, true) => Place::AfterBlank,
            (false, false) => Place::Within,
        };
        let heading = heading(&line.text, line.kind, books, place);
        if first && heading.is_none() && is_headline(&line.text) {
            found
                .entry(AdSection::Headline)
                .or_default()
                .add(&line.text, line.kind);
        } else if let Some(section) = heading {
            current = section;
            headed = true;
            if let Some(section) = section {
                found.entry(section).or_default();
            }
        } else if let Some(section) = current {
            found.entry(section).or_default().add(&line.text, line.kind);
        } else if let (false, Some(paragraph)) = (after_blank || headed, loose.last_mut()) {
            paragraph.push('\n');
            paragraph.push_str(&line.text);
        } else {
            loose.push(line.text);
        }
        first = false;
        after_blank = false;
    }
    found.retain(|_, text| !text.text.is_empty());
    place_loose(&loose, &mut found, books);
    fill_by_phrases(&mut found, books);
    found
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    First,
    AfterBlank,
    Within,
}

/// `Some(None)` is a heading of no known section.
fn heading(
    text: &str,
    kind: LineKind,
    books: &SectionBooks,
    place: Place,
) -> Option<Option<AdSection>> {
    let label = text.trim_end_matches([':', '?', '!']);
    let list = words(label);
    let is_sentence = text.ends_with(['.', '!']) || text.contains(". ");
    if kind == LineKind::Bullet || list.is_empty() || list.len() > LONGEST_HEADING || is_sentence {
        return None;
    }
    let hits = books.headings.find(&list);
    let covered: usize = hits.iter().map(|h| h.last - h.first + 1).sum();
    let others = list.len() - covered;
    let marked = place != Place::First && (kind == LineKind::Heading || text.ends_with(':'));
    let named = match place {
        // A first line "Process Engineer" is the headline, and a line "Team player" in a list is an item.
        Place::First | Place::Within => others == 0,
        // "Teamet och GlobalConnect" names its section in one word of three.
        Place::AfterBlank => covered + 1 >= others,
    };
    let known = hits.first().filter(|_| marked || named).map(|h| h.value);
    match known {
        Some(section) => Some(Some(section)),
        None => marked.then_some(None),
    }
}

fn is_headline(text: &str) -> bool {
    word_count(text) <= LONGEST_HEADLINE && !text.ends_with(['.', ':'])
}

/// The first paragraph without heading introduces the ad; the next ones speak for themselves.
fn place_loose(
    loose: &[String],
    found: &mut BTreeMap<AdSection, SectionText>,
    books: &SectionBooks,
) {
    for (i, paragraph) in loose.iter().enumerate() {
        let named = best_phrase(paragraph, books);
        let section = match (i, named) {
            (0, _) if !found.contains_key(&AdSection::Intro) => AdSection::Intro,
            (_, Some(section)) => section,
            (_, None) if !found.contains_key(&AdSection::RoleDescription) => {
                AdSection::RoleDescription
            }
            (_, None) => continue,
        };
        found
            .entry(section)
            .or_default()
            .add(paragraph, LineKind::Plain);
    }
}

fn best_phrase(text: &str, books: &SectionBooks) -> Option<AdSection> {
    let mut counts: BTreeMap<AdSection, usize> = BTreeMap::new();
    for hit in books.phrases.find(&words(text)) {
        *counts.entry(hit.value).or_default() += 1;
    }
    counts
        .into_iter()
        .max_by_key(|(_, n)| *n)
        .map(|(section, _)| section)
}

/// A section without a heading of its own may stand inside another: "Send your application by …" at the end.
fn fill_by_phrases(found: &mut BTreeMap<AdSection, SectionText>, books: &SectionBooks) {
    let mut extra: BTreeMap<AdSection, SectionText> = BTreeMap::new();
    for text in found.values() {
        for line in text.text.lines() {
            for hit in books.phrases.find(&words(line)) {
                let missing = !found.contains_key(&hit.value);
                let entry = extra.entry(hit.value).or_default();
                if missing && !entry.text.ends_with(line) {
                    entry.add(line, LineKind::Plain);
                }
            }
        }
    }
    extra.retain(|_, text| !text.text.is_empty());
    found.append(&mut extra);
}
