//! Speaks one language: fills phrases, joins lists, writes numbers, dates and quotations as that language does.

use chrono::{Datelike, NaiveDate};
use serde::Deserialize;

use super::language::{GermanAddress, Language};
use super::library::Pack;
use super::module::Module;
use super::text::fill::fill;

/// A language's pack together with the German address in use.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Voice<'a> {
    pub(crate) pack: &'a Pack,
    pub(crate) language: Language,
    pub(crate) address: GermanAddress,
}

/// `common.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CommonPhrases {
    pub(crate) and: String,
    pub(crate) candidate: String,
    pub(crate) first_name: String,
    pub(crate) recruiter: String,
    pub(crate) not_discussed: String,
    pub(crate) notes: String,
    months: [String; 12],
    date: String,
    percent: String,
    decimal: String,
    quote: String,
    days: String,
    one_day: String,
    numbers: [String; 13],
    modules: ModuleNames,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ModuleNames {
    requirement_profile: String,
    job_ad: String,
    ta_screening: String,
    hm_screening: String,
    headhunting: String,
    candidate_report: String,
    funnel_report: String,
    job_ad_review: String,
    di_review: String,
    calendar_invite: String,
}

impl<'a> Voice<'a> {
    pub(crate) fn new(pack: &'a Pack, language: Language, address: GermanAddress) -> Self {
        Voice {
            pack,
            language,
            address,
        }
    }

    /// A phrase with its values.
    pub(crate) fn say(&self, phrase: &str, values: &[(&str, &str)]) -> String {
        fill(phrase, self.address, values)
    }

    /// A phrase without values.
    pub(crate) fn plain(&self, phrase: &str) -> String {
        self.say(phrase, &[])
    }

    pub(crate) fn all(&self, phrases: &[String]) -> Vec<String> {
        phrases.iter().map(|p| self.plain(p)).collect()
    }

    /// "A, B and C".
    pub(crate) fn list<T: AsRef<str>>(&self, items: &[T]) -> String {
        let items: Vec<&str> = items.iter().map(AsRef::as_ref).collect();
        match items.split_last() {
            None => String::new(),
            Some((last, [])) => (*last).to_owned(),
            Some((last, before)) => {
                format!("{} {} {last}", before.join(", "), self.pack.common.and)
            }
        }
    }

    /// "four", as a word up to twelve.
    pub(crate) fn number(&self, n: usize) -> String {
        self.pack
            .common
            .numbers
            .get(n)
            .cloned()
            .unwrap_or_else(|| n.to_string())
    }

    /// One decimal, "23,5".
    pub(crate) fn decimal(&self, n: f64) -> String {
        format!("{n:.1}").replace('.', &self.pack.common.decimal)
    }

    pub(crate) fn percent(&self, n: f64) -> String {
        self.say(&self.pack.common.percent, &[("n", &self.decimal(n))])
    }

    /// Whole days without a decimal.
    pub(crate) fn days(&self, n: f64) -> String {
        let number = if n.fract() == 0.0 {
            format!("{n:.0}")
        } else {
            self.decimal(n)
        };
        let phrase = if number == "1" {
            &self.pack.common.one_day
        } else {
            &self.pack.common.days
        };
        self.say(phrase, &[("n", &number)])
    }

    pub(crate) fn date(&self, date: NaiveDate) -> String {
        let month = &self.pack.common.months[date.month0() as usize];
        let values = [
            ("day", date.day().to_string()),
            ("month", month.clone()),
            ("year", date.year().to_string()),
        ];
        self.say(
            &self.pack.common.date,
            &values.each_ref().map(|(k, v)| (*k, v.as_str())),
        )
    }

    pub(crate) fn quote(&self, text: &str) -> String {
        self.say(&self.pack.common.quote, &[("text", text)])
    }

    /// What a document is called in this language.
    pub(crate) fn module(&self, module: Module) -> &'a str {
        let names = &self.pack.common.modules;
        match module {
            Module::RequirementProfile => &names.requirement_profile,
            Module::JobAd => &names.job_ad,
            Module::TaScreening => &names.ta_screening,
            Module::HmScreening => &names.hm_screening,
            Module::Headhunting => &names.headhunting,
            Module::CandidateReport => &names.candidate_report,
            Module::FunnelReport => &names.funnel_report,
            Module::JobAdReview => &names.job_ad_review,
            Module::DiReview => &names.di_review,
            Module::CalendarInvite => &names.calendar_invite,
        }
    }
}
