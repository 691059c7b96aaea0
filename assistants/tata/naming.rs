//! Which document of the project a few words mean: "job ad", "profile", "report on Anna".

use super::documents::Stored;
use super::module::{MODULES, Module};
use super::tools::compare_candidates;

/// Words of titles that name nothing.
const COMMON: [&str; 9] = ["", "a", "the", "of", "for", "to", "with", "in", "s"];

/// The document that these words name: by its kind, then by its title or key.
pub(super) fn choose<'d>(documents: &'d [Stored], words: &str) -> Result<&'d Stored, String> {
    let asked = words.to_lowercase().replace('_', " ");
    // A longer name says more: "job ad review" is not the job ad.
    let by_kind = |kind: &str| {
        let names = names_of(kind).iter().filter(|name| is_named(&asked, name));
        names.map(|name| name.len()).max().unwrap_or(0)
    };
    let score = |stored: &Stored| {
        let title = format!("{} {}", stored.document.title, stored.from.key).to_lowercase();
        let title = title.split(|c: char| !c.is_alphanumeric());
        let named = title.filter(|word| !COMMON.contains(word) && has_word(&asked, word));
        (by_kind(&stored.from.kind), named.count())
    };
    let best = documents.iter().map(score).max().unwrap_or_default();
    // A missing job ad is not its review, although both titles have these words.
    let is_kind = MODULES.iter().any(|row| by_kind(row.artifact) > 0);
    if best == (0, 0) || (best.0 == 0 && is_kind) {
        return Err(not_found(documents, words));
    }
    let mut found = documents.iter().filter(|stored| score(stored) == best);
    let (last, has_more) = (found.next_back(), found.next().is_some());
    // Of an ad in two languages the last made is meant; candidates are never mixed up.
    let report = Module::CandidateReport.facts().artifact;
    last.filter(|last| !has_more || last.from.kind != report)
        .ok_or_else(|| not_found(documents, words))
}

/// Names stand inside longer words as well ("stellenanzeige"); very short ones only alone.
fn is_named(asked: &str, name: &str) -> bool {
    match name.len() <= 3 {
        true => has_word(asked, name),
        false => asked.contains(name),
    }
}

fn has_word(text: &str, word: &str) -> bool {
    let mut words = text.split(|c: char| !c.is_alphanumeric());
    words.any(|other| other == word)
}

/// Names that people use for a document, in five languages.
#[rustfmt::skip]
fn names_of(kind: &str) -> &'static [&'static str] {
    match Module::of_artifact(kind) {
        Some(Module::RequirementProfile) => &["profil", "requirement", "must-have", "must have", "krav", "anforderung"],
        Some(Module::JobAd) => &["job ad", "ad", "advert", "headline", "annons", "opslag", "anzeige", "ausschreibung"],
        Some(Module::TaScreening) => &["screening", "ta screening", "recruiter", "rekryter", "rekrutter", "recruiting"],
        Some(Module::HmScreening) => &["manager", "hiring manager", "hm screening", "manager screening", "hiring manager screening", "chef", "leder", "führungskraft"],
        Some(Module::Headhunting) => &["message", "outreach", "headhunting", "linkedin", "meddeland", "besked", "melding", "nachricht"],
        Some(Module::CandidateReport) => &["report", "candidate report", "rapport", "bericht", "kandidat"],
        Some(Module::FunnelReport) => &["funnel", "funnel report", "tratt", "tragt", "trakt", "trichter"],
        Some(Module::JobAdReview) => &["job ad review", "review of the ad", "review of the job ad", "granskning", "gennemgang", "gjennomgang", "prüfung"],
        Some(Module::DiReview) => &["inclusive", "inclusion", "diversity", "di review", "inclusive language", "inkluder", "inklusiv"],
        Some(Module::CalendarInvite) => &["invit", "inbjud", "einladung"],
        None if kind == compare_candidates::KIND => &["comparison", "candidate comparison", "jämför", "sammenlign", "vergleich"],
        None => &[],
    }
}

fn not_found(documents: &[Stored], words: &str) -> String {
    let titles = documents
        .iter()
        .map(|stored| format!("“{}”", stored.document.title));
    let titles = titles.collect::<Vec<_>>().join(", ");
    match documents.is_empty() {
        true => "There is no document in this project yet.".to_owned(),
        false => format!("Which document is meant by “{words}”? The project has {titles}."),
    }
}

#[cfg(test)]
mod naming_tests;
