//! The report's sentences, from the phrases of its language.

use super::evidence::{Evidence, Level};
use super::phrases::ReportPhrases;
use super::{PracticalDetails, Recommendation, SkillAssessment};
use crate::tata::domain::screening::skill::SkillType;
use crate::tata::domain::voice::Voice;

/// A skill of the template with what the interview shows about it.
pub(super) struct Rated<'t> {
    pub(super) skill: &'t str,
    pub(super) kind: SkillType,
    pub(super) evidence: Evidence,
}

impl Rated<'_> {
    pub(super) fn is_required(&self) -> bool {
        self.kind != SkillType::GoodToHave
    }
}

/// The report's sentences.
pub(super) struct Wording<'a> {
    pub(super) voice: Voice<'a>,
    pub(super) initials: &'a str,
    pub(super) position: &'a str,
    pub(super) average: f64,
}

impl Wording<'_> {
    fn phrases(&self) -> &ReportPhrases {
        &self.voice.pack.report
    }

    pub(super) fn summary(&self, recommendation: Recommendation) -> String {
        let phrases = &self.phrases().summary;
        let phrase = phrases.by(recommendation);
        let average = self.voice.decimal(self.average);
        self.voice.say(
            phrase,
            &[
                ("initials", self.initials),
                ("position", self.position),
                ("average", &average),
            ],
        )
    }

    pub(super) fn motivation(&self, quotes: &[String]) -> String {
        let phrases = &self.phrases().motivation;
        if quotes.is_empty() {
            return self.voice.plain(&phrases.none);
        }
        let quoted: Vec<String> = quotes.iter().map(|q| self.voice.quote(q)).collect();
        self.voice
            .say(&phrases.some, &[("text", &quoted.join(" "))])
    }

    pub(super) fn assessment(
        &self,
        Rated {
            skill,
            kind,
            evidence,
        }: &Rated<'_>,
    ) -> SkillAssessment {
        SkillAssessment {
            skill_name: (*skill).to_owned(),
            skill_type: *kind,
            summary: self
                .voice
                .plain(self.phrases().skill.summary(evidence.level)),
            examples: evidence.examples.clone(),
            rating: evidence.rating,
            rating_explanation: self.explanation(evidence),
        }
    }

    fn explanation(&self, evidence: &Evidence) -> String {
        let phrases = &self.phrases().skill;
        let text = self.voice.say(
            phrases.explanation(evidence.level),
            &[("n", &evidence.passages.to_string())],
        );
        match evidence.too_few_years {
            Some((required, stated)) => {
                let values = [
                    ("required", required.to_string()),
                    ("stated", stated.to_string()),
                ];
                let more = self.voice.say(
                    &phrases.years_short,
                    &values.each_ref().map(|(k, v)| (*k, v.as_str())),
                );
                format!("{text} {more}")
            }
            None => text,
        }
    }

    pub(super) fn risks(
        &self,
        rated: &[Rated<'_>],
        details: &PracticalDetails,
        no_motivation: bool,
    ) -> Vec<String> {
        let phrases = &self.phrases().risks;
        let unknown = &self.voice.pack.common.not_discussed;
        let mut out: Vec<String> = Vec::new();
        for Rated {
            skill, evidence: e, ..
        } in rated.iter().filter(|r| r.is_required())
        {
            match e.level {
                Level::NotDiscussed => {
                    out.push(self.voice.say(&phrases.not_discussed, &[("skill", skill)]))
                }
                Level::None
                | Level::Limited
                | Level::Mentioned
                | Level::OwnWork
                | Level::OwnWorkWithResults => {
                    if e.rating <= 2 || e.too_few_years.is_some() {
                        let why = self.explanation(e);
                        let rating = self
                            .voice
                            .say(&self.phrases().rating, &[("n", &e.rating.to_string())]);
                        let values = [
                            ("skill", *skill),
                            ("rating", &rating),
                            ("explanation", &why),
                        ];
                        out.push(self.voice.say(&phrases.low, &values));
                    }
                }
            }
        }
        let checks = [
            (no_motivation, &phrases.motivation),
            (&details.notice_period == unknown, &phrases.notice),
            (&details.salary_expectation == unknown, &phrases.salary),
        ];
        out.extend(
            checks
                .into_iter()
                .filter(|(missing, _)| *missing)
                .map(|(_, p)| self.voice.plain(p)),
        );
        if out.is_empty() {
            out.push(self.voice.plain(&phrases.none));
        }
        out
    }

    pub(super) fn conclusion(&self, recommendation: Recommendation, rated: &[Rated<'_>]) -> String {
        let required = rated.iter().filter(|r| r.is_required());
        let rated: Vec<(&str, u8)> = required.map(|r| (r.skill, r.evidence.rating)).collect();
        let best = rated.iter().map(|(_, r)| *r).max().unwrap_or(0);
        let strongest = rated
            .iter()
            .find(|(_, r)| *r == best)
            .map_or("", |(s, _)| *s);
        let worst = rated.iter().map(|(_, r)| *r).min().unwrap_or(0).max(2);
        let weakest: Vec<&str> = rated
            .iter()
            .filter(|(_, r)| *r <= worst)
            .map(|(s, _)| *s)
            .collect();
        let average = self.voice.decimal(self.average);
        let values = [
            ("average", average.as_str()),
            ("strongest", strongest),
            ("weakest", &weakest.join("; ")),
        ];
        self.voice
            .say(self.phrases().conclusion.by(recommendation), &values)
    }
}
