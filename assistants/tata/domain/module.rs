//! The ten modules: names, tools and what each needs first. One table; nothing else knows a dependency.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A kind of work Tata does. The letters of the specification are internal and appear nowhere.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Module {
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
pub struct ModuleFacts {
    /// The design's name of the module type.
    pub name: &'static str,
    /// The kind under which its artifacts are kept.
    pub artifact: &'static str,
    /// The tool that runs it.
    pub tool: &'static str,
    /// What a recruiter calls it, without article.
    pub words: &'static str,
    /// The artifacts that must exist first.
    pub needs: &'static [Module],
}

impl Module {
    pub const ALL: [Module; 10] = [
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

    pub fn facts(self) -> &'static ModuleFacts {
        const PROFILE: &[Module] = &[Module::RequirementProfile];
        match self {
            Module::RequirementProfile => &ModuleFacts {
                name: "REQUIREMENT_PROFILE",
                artifact: "requirement_profile",
                tool: "create_requirement_profile",
                words: "requirement profile",
                needs: &[],
            },
            Module::JobAd => &ModuleFacts {
                name: "JOB_AD",
                artifact: "job_ad",
                tool: "create_job_ad",
                words: "job ad",
                needs: PROFILE,
            },
            Module::TaScreening => &ModuleFacts {
                name: "TA_SCREENING",
                artifact: "ta_screening_template",
                tool: "create_ta_screening_template",
                words: "TA screening template",
                needs: PROFILE,
            },
            Module::HmScreening => &ModuleFacts {
                name: "HM_SCREENING",
                artifact: "hm_screening_template",
                tool: "create_hm_screening_template",
                words: "hiring manager screening template",
                needs: PROFILE,
            },
            Module::Headhunting => &ModuleFacts {
                name: "HEADHUNTING",
                artifact: "headhunting_messages",
                tool: "create_headhunting_messages",
                words: "headhunting messages",
                needs: PROFILE,
            },
            Module::CandidateReport => &ModuleFacts {
                name: "CANDIDATE_REPORT",
                artifact: "candidate_reports",
                tool: "create_candidate_report",
                words: "candidate report",
                needs: &[Module::RequirementProfile, Module::TaScreening],
            },
            Module::FunnelReport => &ModuleFacts {
                name: "FUNNEL_REPORT",
                artifact: "funnel_report",
                tool: "create_funnel_report",
                words: "funnel report",
                needs: &[],
            },
            Module::JobAdReview => &ModuleFacts {
                name: "JOB_AD_REVIEW",
                artifact: "job_ad_review",
                tool: "review_job_ad",
                words: "job ad review",
                needs: &[],
            },
            Module::DiReview => &ModuleFacts {
                name: "DI_REVIEW",
                artifact: "di_review",
                tool: "review_di_compliance",
                words: "diversity and inclusion review",
                needs: &[],
            },
            Module::CalendarInvite => &ModuleFacts {
                name: "CALENDAR_INVITE",
                artifact: "calendar_invite",
                tool: "create_calendar_invite",
                words: "interview invitation",
                needs: &[],
            },
        }
    }

    pub fn name(self) -> &'static str {
        self.facts().name
    }

    pub fn words(self) -> &'static str {
        self.facts().words
    }

    pub fn needs(self) -> &'static [Module] {
        self.facts().needs
    }

    /// `Err` names every prerequisite that `exists` does not have, in the table's order.
    pub fn ready(self, exists: impl Fn(Module) -> bool) -> Result<(), DependencyError> {
        let missing: Vec<Module> = self
            .needs()
            .iter()
            .copied()
            .filter(|m| !exists(*m))
            .collect();
        if missing.is_empty() {
            Ok(())
        } else {
            Err(DependencyError {
                module: self,
                missing,
            })
        }
    }

    /// For a tool's description: which documents it requires, or nothing.
    pub fn requires_sentence(self) -> String {
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

/// A module was asked for before what it builds on exists.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("Cannot execute {}: requires {}", module.name(), names(missing))]
pub struct DependencyError {
    pub module: Module,
    pub missing: Vec<Module>,
}

impl DependencyError {
    /// The same for a recruiter.
    pub fn in_words(&self) -> String {
        let verb = if self.module == Module::Headhunting {
            "build"
        } else {
            "builds"
        };
        format!(
            "The {} {verb} on {}, which this project does not have yet. Shall we make {} first?",
            self.module.words(),
            articled(&self.missing),
            if self.missing.len() == 1 {
                "it"
            } else {
                "them"
            },
        )
    }
}

fn names(modules: &[Module]) -> String {
    modules
        .iter()
        .map(|m| m.name())
        .collect::<Vec<_>>()
        .join(", ")
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
