//! The phrase library: what each language's data files say, read once at start. A file that does not fit is an error
//! that names it.

use rustc_hash::FxHashSet;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::calendar_invite::InvitePhrases;
use super::candidate_report::ReportPhrases;
use super::di_review::{InclusionPhrases, InclusiveWords, WordPool};
use super::funnel_report::FunnelPhrases;
use super::headhunting::OutreachPhrases;
use super::job_ad::JobAdPhrases;
use super::job_ad_review::{AdSections, ReviewPhrases, SectionBooks};
use super::language::Language;
use super::notes::cues::{Cues, Named, Reader};
use super::print::requirement_profile::ProfilePhrases;
use super::screening::ScreeningPhrases;
use super::text::words::words;
use super::voice::CommonPhrases;

/// Everything the processors say and look for, in all languages.
#[derive(Debug)]
pub struct Library {
    packs: [Pack; 5],
    reader: Reader,
}

/// One language.
#[derive(Debug)]
pub(crate) struct Pack {
    pub(crate) common: CommonPhrases,
    pub(crate) profile: ProfilePhrases,
    pub(crate) job_ad: JobAdPhrases,
    pub(crate) screening: ScreeningPhrases,
    pub(crate) outreach: OutreachPhrases,
    pub(crate) report: ReportPhrases,
    pub(crate) funnel: FunnelPhrases,
    pub(crate) review: ReviewPhrases,
    pub(crate) inclusion: InclusionPhrases,
    pub(crate) invite: InvitePhrases,
    pub(crate) banned: BannedWords,
    pub(crate) word_pool: WordPool,
    pub(crate) sections: SectionBooks,
    pub(crate) cues: Cues,
    stop_words: FxHashSet<String>,
}

/// `banned_words.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct BannedWords {
    pub(crate) entries: Vec<BannedGroup>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct BannedGroup {
    pub(crate) words: Vec<String>,
    #[serde(rename = "use")]
    pub(crate) replacement: String,
}

/// A data file cannot be used as it is.
#[derive(Debug, thiserror::Error)]
#[error("the data file {language}/{file} cannot be used: {reason}")]
pub struct DataError {
    pub language: Language,
    pub file: &'static str,
    pub reason: String,
}

/// The beginning of a text shows its language.
const LANGUAGE_SAMPLE: usize = 2000;

impl Library {
    pub fn load() -> Result<Self, DataError> {
        let packs = [
            Pack::read(Language::En, &files::EN)?,
            Pack::read(Language::Sv, &files::SV)?,
            Pack::read(Language::Da, &files::DA)?,
            Pack::read(Language::No, &files::NO)?,
            Pack::read(Language::De, &files::DE)?,
        ];
        for (pack, language) in packs.iter().zip(Language::ALL) {
            check_order(&packs[0], pack, language)?;
        }
        let reader = Reader::new(&packs.each_ref().map(|p| &p.cues));
        Ok(Library { packs, reader })
    }

    pub(crate) fn pack(&self, language: Language) -> &Pack {
        &self.packs[language.index()]
    }

    pub(crate) fn reader(&self) -> &Reader {
        &self.reader
    }

    /// The language a text is written in, when its small words and its letters show it clearly.
    pub fn language_of(&self, text: &str) -> Option<Language> {
        let end = text
            .char_indices()
            .nth(LANGUAGE_SAMPLE)
            .map_or(text.len(), |(at, _)| at);
        let list = words(&text[..end]);
        let mut counts = Language::ALL.map(|language| {
            let known = &self.pack(language).stop_words;
            let small = list
                .iter()
                .filter(|w| known.contains(w.folded.as_ref()))
                .count();
            let spelled = list
                .iter()
                .filter(|w| w.folded.contains(own_letters(language)))
                .count();
            (small + spelled, language)
        });
        counts.sort_by_key(|(n, _)| std::cmp::Reverse(*n));
        let [(most, language), (second, _), ..] = counts;
        (most > second).then_some(language)
    }

    /// Soft skills and ways of working in another language: "structured" is "strukturerad".
    pub(crate) fn soft_skills_in(&self, names: &[String], language: Language) -> Vec<String> {
        let pack = self.pack(language);
        let positions = names.iter().flat_map(|n| {
            self.reader
                .soft_skills
                .find(&words(n))
                .into_iter()
                .map(|h| h.value)
        });
        positions
            .filter_map(|i| pack.soft_skill(i))
            .map(str::to_owned)
            .collect()
    }

    pub(crate) fn collaboration_in(&self, text: &str, language: Language) -> Vec<&str> {
        let hits = self.reader.collaboration.find(&words(text)).into_iter();
        hits.filter_map(|h| self.pack(language).collaboration(h.value))
            .collect()
    }
}

impl Pack {
    fn read(language: Language, files: &files::Files) -> Result<Self, DataError> {
        let cues: Cues = parse(language, "cues.toml", files.cues)?;
        let words: InclusiveWords = parse(language, "inclusive_words.toml", files.inclusive_words)?;
        let sections: AdSections = parse(language, "ad_sections.toml", files.ad_sections)?;
        Ok(Pack {
            common: parse(language, "common.toml", files.common)?,
            profile: parse(language, "profile.toml", files.profile)?,
            job_ad: parse(language, "job_ad.toml", files.job_ad)?,
            screening: parse(language, "screening.toml", files.screening)?,
            outreach: parse(language, "outreach.toml", files.outreach)?,
            report: parse(language, "report.toml", files.report)?,
            funnel: parse(language, "funnel.toml", files.funnel)?,
            review: parse(language, "review.toml", files.review)?,
            inclusion: parse(language, "inclusion.toml", files.inclusion)?,
            invite: parse(language, "invite.toml", files.invite)?,
            banned: parse(language, "banned_words.toml", files.banned_words)?,
            word_pool: WordPool::new(words),
            sections: SectionBooks::new(&sections),
            stop_words: cues.stop_words.iter().cloned().collect(),
            cues,
        })
    }

    pub(crate) fn soft_skill(&self, position: usize) -> Option<&str> {
        name(&self.cues.soft_skills, position)
    }

    pub(crate) fn collaboration(&self, position: usize) -> Option<&str> {
        name(&self.cues.collaboration, position)
    }
}

/// Soft skills and ways of working are matched across languages by their place in the list.
fn check_order(first: &Pack, pack: &Pack, language: Language) -> Result<(), DataError> {
    let keys = |p: &Pack| -> Vec<String> {
        p.cues
            .soft_skills
            .iter()
            .chain(&p.cues.collaboration)
            .map(|n| n.key.clone())
            .collect()
    };
    if keys(first) == keys(pack) {
        return Ok(());
    }
    let reason = "soft_skills and collaboration must have the same keys in the same order as in en/cues.toml".to_owned();
    Err(DataError {
        language,
        file: "cues.toml",
        reason,
    })
}

/// Letters that point to a language, alone or with a neighbour.
fn own_letters(language: Language) -> &'static [char] {
    match language {
        Language::En => &[],
        Language::Sv => &['ä', 'ö', 'å'],
        Language::Da | Language::No => &['æ', 'ø', 'å'],
        Language::De => &['ä', 'ö', 'ü', 'ß'],
    }
}

fn name(list: &[Named], position: usize) -> Option<&str> {
    list.get(position).map(|n| n.name.as_str())
}

fn parse<T: DeserializeOwned>(
    language: Language,
    file: &'static str,
    text: &str,
) -> Result<T, DataError> {
    toml::from_str(text).map_err(|e| DataError {
        language,
        file,
        reason: e.to_string(),
    })
}

/// The files themselves, one folder for each language.
mod files {
    pub(super) struct Files {
        pub(super) common: &'static str,
        pub(super) profile: &'static str,
        pub(super) job_ad: &'static str,
        pub(super) screening: &'static str,
        pub(super) outreach: &'static str,
        pub(super) report: &'static str,
        pub(super) funnel: &'static str,
        pub(super) review: &'static str,
        pub(super) inclusion: &'static str,
        pub(super) invite: &'static str,
        pub(super) banned_words: &'static str,
        pub(super) inclusive_words: &'static str,
        pub(super) ad_sections: &'static str,
        pub(super) cues: &'static str,
    }

    pub(super) const EN: Files = Files {
        common: include_str!("data/en/common.toml"),
        profile: include_str!("data/en/profile.toml"),
        job_ad: include_str!("data/en/job_ad.toml"),
        screening: include_str!("data/en/screening.toml"),
        outreach: include_str!("data/en/outreach.toml"),
        report: include_str!("data/en/report.toml"),
        funnel: include_str!("data/en/funnel.toml"),
        review: include_str!("data/en/review.toml"),
        inclusion: include_str!("data/en/inclusion.toml"),
        invite: include_str!("data/en/invite.toml"),
        banned_words: include_str!("data/en/banned_words.toml"),
        inclusive_words: include_str!("data/en/inclusive_words.toml"),
        ad_sections: include_str!("data/en/ad_sections.toml"),
        cues: include_str!("data/en/cues.toml"),
    };
    pub(super) const SV: Files = Files {
        common: include_str!("data/sv/common.toml"),
        profile: include_str!("data/sv/profile.toml"),
        job_ad: include_str!("data/sv/job_ad.toml"),
        screening: include_str!("data/sv/screening.toml"),
        outreach: include_str!("data/sv/outreach.toml"),
        report: include_str!("data/sv/report.toml"),
        funnel: include_str!("data/sv/funnel.toml"),
        review: include_str!("data/sv/review.toml"),
        inclusion: include_str!("data/sv/inclusion.toml"),
        invite: include_str!("data/sv/invite.toml"),
        banned_words: include_str!("data/sv/banned_words.toml"),
        inclusive_words: include_str!("data/sv/inclusive_words.toml"),
        ad_sections: include_str!("data/sv/ad_sections.toml"),
        cues: include_str!("data/sv/cues.toml"),
    };
    pub(super) const DA: Files = Files {
        common: include_str!("data/da/common.toml"),
        profile: include_str!("data/da/profile.toml"),
        job_ad: include_str!("data/da/job_ad.toml"),
        screening: include_str!("data/da/screening.toml"),
        outreach: include_str!("data/da/outreach.toml"),
        report: include_str!("data/da/report.toml"),
        funnel: include_str!("data/da/funnel.toml"),
        review: include_str!("data/da/review.toml"),
        inclusion: include_str!("data/da/inclusion.toml"),
        invite: include_str!("data/da/invite.toml"),
        banned_words: include_str!("data/da/banned_words.toml"),
        inclusive_words: include_str!("data/da/inclusive_words.toml"),
        ad_sections: include_str!("data/da/ad_sections.toml"),
        cues: include_str!("data/da/cues.toml"),
    };
    pub(super) const NO: Files = Files {
        common: include_str!("data/no/common.toml"),
        profile: include_str!("data/no/profile.toml"),
        job_ad: include_str!("data/no/job_ad.toml"),
        screening: include_str!("data/no/screening.toml"),
        outreach: include_str!("data/no/outreach.toml"),
        report: include_str!("data/no/report.toml"),
        funnel: include_str!("data/no/funnel.toml"),
        review: include_str!("data/no/review.toml"),
        inclusion: include_str!("data/no/inclusion.toml"),
        invite: include_str!("data/no/invite.toml"),
        banned_words: include_str!("data/no/banned_words.toml"),
        inclusive_words: include_str!("data/no/inclusive_words.toml"),
        ad_sections: include_str!("data/no/ad_sections.toml"),
        cues: include_str!("data/no/cues.toml"),
    };
    pub(super) const DE: Files = Files {
        common: include_str!("data/de/common.toml"),
        profile: include_str!("data/de/profile.toml"),
        job_ad: include_str!("data/de/job_ad.toml"),
        screening: include_str!("data/de/screening.toml"),
        outreach: include_str!("data/de/outreach.toml"),
        report: include_str!("data/de/report.toml"),
        funnel: include_str!("data/de/funnel.toml"),
        review: include_str!("data/de/review.toml"),
        inclusion: include_str!("data/de/inclusion.toml"),
        invite: include_str!("data/de/invite.toml"),
        banned_words: include_str!("data/de/banned_words.toml"),
        inclusive_words: include_str!("data/de/inclusive_words.toml"),
        ad_sections: include_str!("data/de/ad_sections.toml"),
        cues: include_str!("data/de/cues.toml"),
    };
}
