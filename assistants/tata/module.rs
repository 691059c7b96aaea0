//! The ten modules: names, tools and dependencies, in one table.

/// A kind of work Tata does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
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
    pub(super) module: Module,
    /// The kind under which its artifacts are kept.
    pub(super) artifact: &'static str,
    /// The tool that runs it.
    pub(super) tool: &'static str,
    /// Its name for recruiters, without an article.
    pub(super) words: &'static str,
    /// The artifacts that must exist first.
    pub(super) needs: &'static [Module],
}

const PROFILE: &[Module] = &[Module::RequirementProfile];

/// In the order of the enum.
#[rustfmt::skip]
pub(super) const MODULES: [ModuleFacts; 10] = [
    ModuleFacts { module: Module::RequirementProfile, artifact: "requirement_profile", tool: "create_requirement_profile", words: "requirement profile", needs: &[] },
    ModuleFacts { module: Module::JobAd, artifact: "job_ad", tool: "create_job_ad", words: "job ad", needs: PROFILE },
    ModuleFacts { module: Module::TaScreening, artifact: "ta_screening_template", tool: "create_ta_screening_template", words: "TA screening template", needs: PROFILE },
    ModuleFacts { module: Module::HmScreening, artifact: "hm_screening_template", tool: "create_hm_screening_template", words: "hiring manager screening template", needs: PROFILE },
    ModuleFacts { module: Module::Headhunting, artifact: "headhunting_messages", tool: "create_headhunting_messages", words: "headhunting messages", needs: PROFILE },
    ModuleFacts { module: Module::CandidateReport, artifact: "candidate_reports", tool: "create_candidate_report", words: "candidate report", needs: &[Module::RequirementProfile, Module::TaScreening] },
    ModuleFacts { module: Module::FunnelReport, artifact: "funnel_report", tool: "create_funnel_report", words: "funnel report", needs: &[] },
    ModuleFacts { module: Module::JobAdReview, artifact: "job_ad_review", tool: "review_job_ad", words: "job ad review", needs: &[] },
    ModuleFacts { module: Module::DiReview, artifact: "di_review", tool: "review_di_compliance", words: "diversity and inclusion review", needs: &[] },
    ModuleFacts { module: Module::CalendarInvite, artifact: "calendar_invite", tool: "create_calendar_invite", words: "interview invitation", needs: &[] },
];

impl Module {
    pub(super) const fn facts(self) -> &'static ModuleFacts {
        const TABLE: &[ModuleFacts; 10] = &MODULES;
        &TABLE[self as usize]
    }

    /// The module whose documents are kept under this kind.
    pub(super) fn of_artifact(kind: &str) -> Option<Module> {
        let mut rows = MODULES.iter();
        rows.find(|row| row.artifact == kind).map(|row| row.module)
    }

    /// Whether people outside the company read its documents, or have them read to them.
    pub(super) const fn is_read_by_candidates(self) -> bool {
        use Module::{CalendarInvite, Headhunting, HmScreening, JobAd, TaScreening};
        matches!(
            self,
            JobAd | TaScreening | HmScreening | Headhunting | CalendarInvite
        )
    }

    /// For a tool's description: which documents it requires, or nothing.
    pub(super) fn requires_sentence(self) -> String {
        let needs = self.facts().needs.iter().map(|need| {
            let is_profile = *need == Module::RequirementProfile;
            let state = if is_profile { "confirmed " } else { "" };
            format!("a {state}{}", need.facts().words)
        });
        let needs = needs.collect::<Vec<_>>().join(" and ");
        match needs.is_empty() {
            true => String::new(),
            false => format!("It requires {needs} first."),
        }
    }
}

#[cfg(test)]
#[path = "module_tests.rs"]
mod module_tests;
