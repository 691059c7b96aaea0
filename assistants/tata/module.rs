//! The ten modules: names, tools and what each needs first. One table; nothing else knows a dependency.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A kind of work Tata does. The letters of the specification are internal and appear nowhere.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(super) enum Module {
    RequirementProfile,
    JobAd,
    TaScreening,
    HmScreening,
    Headhunting,
    CandidateReport,
    FunnelReport,
    JobAdReview,
    DiReview,
    CalendarInvite,
}

/// One row of the table.
#[derive(Debug)]
pub(super) struct ModuleFacts {
    /// The kind under which its artifacts are kept.
    pub(super) artifact: &'static str,
    /// The tool that runs it.
    pub(super) tool: &'static str,
    /// What a recruiter calls it, without article.
    pub(super) words: &'static str,
    /// The artifacts that must exist first.
    pub(super) needs: &'static [Module],
}

impl Module {
    pub(super) const ALL: [Module; 10] = [
        Module::RequirementProfile,
        Module::JobAd,
        Module::TaScreening,
        Module::HmScreening,
        Module::Headhunting,
        Module::CandidateReport,
        Module::FunnelReport,
        Module::JobAdReview,
        Module::DiReview,
        Module::CalendarInvite,
    ];

    pub(super) const fn facts(self) -> &'static ModuleFacts {
        const PROFILE: &[Module] = &[Module::RequirementProfile];
        match self {
            Module::RequirementProfile => &ModuleFacts {
                artifact: "requirement_profile",
                tool: "create_requirement_profile",
                words: "requirement profile",
                needs: &[],
            },
            Module::JobAd => &ModuleFacts {
                artifact: "job_ad",
                tool: "create_job_ad",
                words: "job ad",
                needs: PROFILE,
            },
            Module::TaScreening => &ModuleFacts {
                artifact: "ta_screening_template",
                tool: "create_ta_screening_template",
                words: "TA screening template",
                needs: PROFILE,
            },
            Module::HmScreening => &ModuleFacts {
                artifact: "hm_screening_template",
                tool: "create_hm_screening_template",
                words: "hiring manager screening template",
                needs: PROFILE,
            },
            Module::Headhunting => &ModuleFacts {
                artifact: "headhunting_messages",
                tool: "create_headhunting_messages",
                words: "headhunting messages",
                needs: PROFILE,
            },
            Module::CandidateReport => &ModuleFacts {
                artifact: "candidate_reports",
                tool: "create_candidate_report",
                words: "candidate report",
                needs: &[Module::RequirementProfile, Module::TaScreening],
            },
            Module::FunnelReport => &ModuleFacts {
                artifact: "funnel_report",
                tool: "create_funnel_report",
                words: "funnel report",
                needs: &[],
            },
            Module::JobAdReview => &ModuleFacts {
                artifact: "job_ad_review",
                tool: "review_job_ad",
                words: "job ad review",
                needs: &[],
            },
            Module::DiReview => &ModuleFacts {
                artifact: "di_review",
                tool: "review_di_compliance",
                words: "diversity and inclusion review",
                needs: &[],
            },
            Module::CalendarInvite => &ModuleFacts {
                artifact: "calendar_invite",
                tool: "create_calendar_invite",
                words: "interview invitation",
                needs: &[],
            },
        }
    }

    pub(super) fn words(self) -> &'static str {
        self.facts().words
    }

    pub(super) fn needs(self) -> &'static [Module] {
        self.facts().needs
    }

    /// The module whose documents are kept under this kind.
    pub(super) fn of_artifact(kind: &str) -> Option<Module> {
        Module::ALL
            .into_iter()
            .find(|module| module.facts().artifact == kind)
    }

    /// For a tool's description: which documents it requires, or nothing.
    pub(super) fn requires_sentence(self) -> String {
        match self.needs() {
            [] => String::new(),
            needs => format!("It requires {} first.", articled(needs)),
        }
    }
}

impl fmt::Display for Module {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.words())
    }
}

fn articled(modules: &[Module]) -> String {
    let each = modules.iter().map(|m| match m {
        Module::RequirementProfile => "a confirmed requirement profile".to_owned(),
        Module::Headhunting => m.words().to_owned(),
        Module::JobAd
        | Module::TaScreening
        | Module::HmScreening
        | Module::CandidateReport
        | Module::FunnelReport
        | Module::JobAdReview
        | Module::DiReview => format!("a {}", m.words()),
        Module::CalendarInvite => format!("an {}", m.words()),
    });
    each.collect::<Vec<_>>().join(" and ")
}
