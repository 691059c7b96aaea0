//! Spellings of a skill, and what is another skill.

use super::*;

fn list(skills: &[&str]) -> Vec<String> {
    skills.iter().map(|skill| (*skill).to_owned()).collect()
}

#[test]
fn a_skill_is_found_however_it_is_spelled() {
    let skills = list(&[
        "React.js",
        "Node JS",
        "C++",
        "Adobe Photoshop",
        "Вёрстка писем",
    ]);
    for wanted in ["react", "React", "node", "c++", "photoshop", "вёрстка"] {
        assert!(has(&skills, wanted), "{wanted}");
    }
    for wanted in ["C", "Reactive", "Java", "", "письма"] {
        assert!(!has(&skills, wanted), "{wanted}");
    }
}

#[test]
fn java_is_not_javascript() {
    assert!(!has(&list(&["JavaScript"]), "Java"));
    assert!(!has(&list(&["Java"]), "JavaScript"));
}

#[test]
fn shares_and_gaps() {
    let skills = list(&["Figma", "HTML"]);
    let wanted = list(&["HTML", "CSS", "Figma", "SEO"]);
    assert_eq!(share(&skills, &wanted), Some(0.5));
    assert_eq!(missing(&skills, &wanted), ["CSS", "SEO"]);
    assert_eq!(share(&skills, &[]), None);
}
