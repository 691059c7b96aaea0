//! The hiring manager's interview guide: the same questions with room for notes after each.

use super::desk::{Desk, Produced};
use super::problem::Problems;
use super::requirement_profile::RequirementProfile;
use super::screening::{Interviewer, ScreeningInput, ScreeningTemplate, template};

pub fn process(
    input: &ScreeningInput,
    profile: &RequirementProfile,
    desk: &Desk<'_>,
) -> Result<Produced<ScreeningTemplate>, Problems> {
    template(input, profile, Interviewer::HiringManager, desk)
}
