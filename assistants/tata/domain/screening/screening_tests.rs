//! Interview guides for both interviewers.

use crate::tata::domain::job_ad::polish::speaks;
use crate::tata::domain::language::{GermanAddress, Language};
use crate::tata::domain::print::Printed;
use crate::tata::domain::requirement_profile::RequirementProfile;
use crate::tata::domain::screening::skill::{SkillType, skill_type, topic};
use crate::tata::domain::screening::{Question, ScreeningInput, ScreeningTemplate, SkillQuestions};
use crate::tata::domain::style_check::check;
use crate::tata::domain::test_desk::{desk, library, neutral, now, profile};
use crate::tata::domain::{hm_screening, ta_screening};

const NOTES: [(Language, &str); 5] = [
    (Language::En, "01_bullets_en"),
    (Language::Sv, "05_swedish_bullets"),
    (Language::Da, "07_danish"),
    (Language::No, "08_norwegian"),
    (Language::De, "09_german"),
];

fn questions(texts: &[&str], notes_space: bool) -> Vec<Question> {
    texts
        .iter()
        .map(|t| Question {
            text: (*t).to_owned(),
            notes_space,
        })
        .collect()
}

#[test]
fn a_profile_becomes_a_whole_guide() {
    let input = ScreeningInput {
        skills_to_include: vec!["scripting in python".into()],
        additional_areas: vec!["working  in shifts".into()],
        ..Default::default()
    };
    let found = hm_screening::process(
        &input,
        &profile("01_bullets_en", Language::En),
        &desk(Language::En),
    )
    .unwrap();
    assert_eq!(found.warnings, []);
    let follow_ups = |texts: [&str; 3]| texts.map(str::to_owned).to_vec();
    let expected = ScreeningTemplate {
        position_title: "Senior Network Engineer".into(),
        role_intro: None,
        motivation_questions: questions(
            &[
                "What made you interested in this position?",
                "What matters most to you in your next role?",
                "What do you know about GlobalConnect, and what would you like to know?",
                "Which tasks give you energy, and which do you prefer to do less of?",
            ],
            true,
        ),
        skill_questions: vec![
            SkillQuestions {
                skill_name: "Scripting in Python".into(),
                skill_type: SkillType::Technical,
                main_question: "Scripting in Python: Which piece of work shows best what you can do, and what exactly was your \
                                part in it?"
                    .into(),
                follow_up_questions: follow_ups([
                    "Which alternatives did you consider, and why did you decide against them?",
                    "How did you test that your solution worked?",
                    "What would you do differently today?",
                ]),
                include_notes_space: true,
            },
            SkillQuestions {
                skill_name: "Working in shifts".into(),
                skill_type: SkillType::Functional,
                main_question: "Working in shifts: Can you give an example from your work and describe your own role in it?".into(),
                follow_up_questions: follow_ups([
                    "Who else was involved, and how did you work together?",
                    "How did you know that you had succeeded?",
                    "What would you do differently next time?",
                ]),
                include_notes_space: true,
            },
        ],
        practical_questions: questions(
            &[
                "What is your notice period, and when could you start?",
                "What are your salary expectations?",
                "Where do you live, and how does the place of work suit you?",
                "What questions do you have for us?",
            ],
            true,
        ),
        closing_guidance: "Thank the candidate and explain the next step. Write down your assessment of each skill before you \
                           discuss it with others, and share it with the recruiter, who prepares the candidate report."
            .into(),
        is_hm_template: true,
        language: Language::En,
        german_address: GermanAddress::Sie,
        created_at: now(),
    };
    assert_eq!(found.artifact, expected);
}

#[test]
fn every_language_has_its_numbers_and_its_style() {
    for (language, notes) in NOTES {
        let profile = profile(notes, language);
        let input = ScreeningInput {
            include_good_to_haves: true,
            include_role_intro: true,
            ..Default::default()
        };
        let ta = ta_screening::process(&input, &profile, &desk(language))
            .unwrap()
            .artifact;
        let hm = hm_screening::process(&input, &profile, &desk(language))
            .unwrap()
            .artifact;
        for found in [&ta, &hm] {
            assert_eq!(
                (
                    found.motivation_questions.len(),
                    found.practical_questions.len()
                ),
                (4, 4)
            );
            assert_eq!(found.skill_questions.len(), 4 + profile.good_to_haves.len());
            for q in &found.skill_questions {
                let expected = if q.skill_type == SkillType::GoodToHave {
                    2
                } else {
                    3
                };
                assert_eq!(q.follow_up_questions.len(), expected, "{q:?}");
            }
            let text = found.document(library()).to_text();
            assert_eq!(check(&text, language, neutral()), [], "{text}");
            assert_eq!(library().language_of(&text), Some(language), "{text}");
            let stored = serde_json::to_string(found).unwrap();
            assert_eq!(
                &serde_json::from_str::<ScreeningTemplate>(&stored).unwrap(),
                found
            );
        }
        // Room for notes after every question, in the hiring manager's version only.
        let spaces =
            |t: &ScreeningTemplate| t.document(library()).to_text().matches("____\n").count();
        assert_eq!(
            (spaces(&ta), spaces(&hm)),
            (0, 8 + hm.skill_questions.len())
        );
        assert!(ta.role_intro.is_some());
    }
}

#[test]
fn german_address_is_kept() {
    for (address, other) in [
        (GermanAddress::Du, GermanAddress::Sie),
        (GermanAddress::Sie, GermanAddress::Du),
    ] {
        let profile = RequirementProfile {
            german_address: address,
            ..profile("09_german", Language::De)
        };
        let input = ScreeningInput {
            include_good_to_haves: true,
            include_role_intro: true,
            ..Default::default()
        };
        let found = ta_screening::process(&input, &profile, &desk(Language::De))
            .unwrap()
            .artifact;
        let text = found.document(library()).to_text();
        assert!(speaks(&text, address) && !speaks(&text, other), "{text}");
    }
}

#[test]
fn an_unknown_skill_is_named_with_the_known_ones() {
    let input = ScreeningInput {
        skills_to_include: vec!["Cobol".into()],
        ..Default::default()
    };
    let problems = ta_screening::process(
        &input,
        &profile("02_prose_en", Language::En),
        &desk(Language::En),
    )
    .unwrap_err();
    assert_eq!(
        problems.to_string(),
        "The profile does not have these skills: Cobol. It has: 5+ years Python; Django experience; AWS knowledge; Experience with \
         PostgreSQL; Kafka; Terraform. Other topics can be given as additional areas."
    );
}

#[test]
fn skills_have_a_type_and_a_topic() {
    let reader = library().reader();
    let check = |skill: &str, kind, about: &str| {
        assert_eq!(
            (skill_type(skill, reader), topic(skill, reader)),
            (kind, about),
            "{skill}"
        );
    };
    check(
        "At least 5 years of experience with Python",
        SkillType::Technical,
        "Python",
    );
    check(
        "Erfarenhet av att leda ett team",
        SkillType::Leadership,
        "att leda ett team",
    );
    check(
        "Experience from a telecom operator",
        SkillType::Technical,
        "a telecom operator",
    );
    check(
        "Ability to lead change",
        SkillType::Leadership,
        "Ability to lead change",
    );
    check(
        "Mindestens 3 Jahre Erfahrung im Vertrieb",
        SkillType::Functional,
        "Vertrieb",
    );
    check(
        "Fluent Swedish and English",
        SkillType::Functional,
        "Swedish and English",
    );
    check("Negotiation", SkillType::Functional, "Negotiation");
}
