//! An interview guide, with lines to write on in the hiring manager's version.

use super::Printed;
use crate::tata::domain::document::{Block, Document};
use crate::tata::domain::library::Library;
use crate::tata::domain::screening::skill::SkillType;
use crate::tata::domain::screening::{Question, ScreeningTemplate};
use crate::tata::domain::voice::Voice;

impl Printed for ScreeningTemplate {
    fn document(&self, library: &Library) -> Document {
        let voice = Voice::new(
            library.pack(self.language),
            self.language,
            self.german_address,
        );
        let phrases = &voice.pack.screening;
        let title = if self.is_hm_template {
            &phrases.title_hm
        } else {
            &phrases.title_ta
        };
        let mut doc = Document::new(voice.say(title, &[("title", &self.position_title)]));
        doc.section(
            &phrases.headings.intro,
            self.role_intro.as_deref().unwrap_or_default(),
        );
        questions(
            &mut doc,
            &phrases.headings.motivation,
            &self.motivation_questions,
            voice,
        );
        doc.heading(&phrases.headings.skills);
        for skill in &self.skill_questions {
            let good = skill.skill_type == SkillType::GoodToHave;
            let name = &skill.skill_name;
            doc.subheading(&if good {
                format!("{name} ({})", phrases.headings.good_to_have)
            } else {
                name.clone()
            });
            doc.paragraph(skill.main_question.as_str());
            doc.paragraph(format!("{}:", phrases.follow_ups));
            doc.bullets(skill.follow_up_questions.clone());
            if skill.include_notes_space {
                doc.blocks
                    .push(Block::NoteSpace(voice.pack.common.notes.clone()));
            }
        }
        questions(
            &mut doc,
            &phrases.headings.practical,
            &self.practical_questions,
            voice,
        );
        doc.section(&phrases.headings.closing, &self.closing_guidance);
        doc
    }
}

fn questions(doc: &mut Document, heading: &str, list: &[Question], voice: Voice<'_>) {
    doc.heading(heading);
    if list.iter().any(|q| q.notes_space) {
        for question in list {
            doc.paragraph(question.text.as_str());
            doc.blocks
                .push(Block::NoteSpace(voice.pack.common.notes.clone()));
        }
    } else {
        doc.blocks.push(Block::Numbered(
            list.iter().map(|q| q.text.clone()).collect(),
        ));
    }
}
