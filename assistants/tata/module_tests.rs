//! The table of modules.

use super::*;

// design: 000 ModuleType, module processors, ToolDefinition.name
#[test]
fn the_table_is_the_specifications() {
    for (at, row) in MODULES.iter().enumerate() {
        assert_eq!(row.module as usize, at, "{}", row.artifact);
        assert_eq!(row.module.facts().tool, row.tool);
        assert_eq!(Module::of_artifact(row.artifact), Some(row.module));
    }
    let needy = MODULES.iter().filter(|row| !row.needs.is_empty());
    let needy: Vec<Module> = needy.map(|row| row.module).collect();
    assert_eq!(
        needy,
        [
            Module::JobAd,
            Module::TaScreening,
            Module::HmScreening,
            Module::Headhunting,
            Module::CandidateReport
        ]
    );
    assert_eq!(
        Module::CandidateReport.requires_sentence(),
        "It requires a confirmed requirement profile and a TA screening template first."
    );
}
