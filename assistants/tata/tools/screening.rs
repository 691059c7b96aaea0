//! The two interview guides: the recruiter's first call asks for motivation and practical matters,
//! the hiring manager's interview for situations from the work. Both go through the skills.

use super::prelude::*;
use super::{lines, numbered, position_of, proven, texts_of};

/// A guide for the recruiter or for the hiring manager.
pub(super) struct Guide<const MANAGER: bool> {
    position: String,
    /// Without internal remarks: questions are read to candidates.
    profile: Document,
    skills: Vec<String>,
    areas: Vec<String>,
}

/// The recruiter's wishes for a guide.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// Whether to ask about the good-to-have skills too (default: no).
    #[serde(default)]
    include_good_to_haves: bool,
    /// Whether to begin with a short introduction of the role (default: no).
    #[serde(default)]
    include_role_intro: bool,
    /// More areas to ask about, in the recruiter's own words.
    #[serde(default)]
    additional_areas: Vec<String>,
    /// Only these skills of the profile, exactly as it names them; all must-haves when empty.
    #[serde(default)]
    skills_to_include: Vec<String>,
    /// Output language; that of the request when absent.
    language: Option<Language>,
}

/// The content of a guide.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct GuideDraft {
    /// Two or three statements about the role to open with; empty unless asked for.
    introduction: Vec<Statement>,
    /// Questions about why the candidate is interested.
    motivation: Vec<String>,
    /// Questions for each numbered skill, in its order.
    skills: Vec<SkillQuestions>,
    /// Situations from the responsibilities: what would you do when …
    situations: Vec<Situation>,
    /// Questions about working in this team.
    team: Vec<String>,
    /// Questions for each further area that was asked for; empty otherwise.
    additional: Vec<String>,
    /// Questions about notice, pay, place, start and what else the conditions make necessary.
    practical: Vec<String>,
    /// Facts that candidates must know before they say yes.
    tell: Vec<Statement>,
    /// How to end, and what to write down afterwards.
    closing: Vec<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SkillQuestions {
    /// The number of the skill in the list.
    skill: u32,
    /// One open question about what the candidate did, and one or two that go deeper.
    questions: Vec<String>,
    /// Signs of a strong answer, in a few words each.
    listen_for: Vec<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Situation {
    question: String,
    /// Contents of a strong answer.
    good_answer: String,
}

impl<const MANAGER: bool> Writes for Guide<MANAGER> {
    const MODULE: Module = match MANAGER {
        true => Module::HmScreening,
        false => Module::TaScreening,
    };
    const FILE: &'static str = match MANAGER {
        true => include_str!("../instructions/documents/hm_screening.md"),
        false => include_str!("../instructions/documents/ta_screening.md"),
    };
    type Args = Args;
    type Draft = GuideDraft;

    async fn prepare(call: &Call<'_>, args: Args) -> Result<(Self, Brief), ToolError> {
        let stored = agreed_profile(call.ctx).await?;
        let language = Language::choose(call.ctx, args.language)?;
        let mut sources = Sources::new(language);
        let profile = stored.document.for_candidates();
        sources.add("requirement_profile", &profile.to_markdown());
        let areas = args.additional_areas.iter().map(|area| short(area));
        let guide = Self {
            position: position_of(call.ctx, &profile),
            skills: skills(&profile, &args, &mut sources),
            areas: areas.filter(|area| !area.is_empty()).collect(),
            profile,
        };
        let mut details = vec![
            format!("The position: {}", guide.position),
            format!("The skills:\n{}", numbered(&guide.skills)),
        ];
        if args.include_role_intro {
            details.push("Write the introduction of the role.".to_owned());
        }
        if !guide.areas.is_empty() {
            details.push(format!("Also ask about:\n{}", numbered(&guide.areas)));
        }
        let place = Place::of(Self::MODULE, language.code()).built_from([stored.from]);
        let brief = Brief {
            details,
            known: guide.areas.clone(),
            ..Brief::new(&guide.position, language, sources, place)
        };
        Ok((guide, brief))
    }

    fn document(&self, draft: GuideDraft, document: &mut Document) {
        let labels = labels(document.language);
        let introduction = proven(draft.introduction, document).join(" ");
        document.paragraphs("introduction", &[introduction]);
        document.some_items("motivation", lines(&draft.motivation));
        for (number, skill) in (1..).zip(&self.skills) {
            let block = draft.skills.iter().find(|block| block.skill == number);
            let mut items = block.map_or_else(Vec::new, |block| lines(&block.questions));
            let signs = block.into_iter().flat_map(|block| &block.listen_for);
            items.extend(signs.map(|sign| Item::labelled(labels.word("listen_for"), sign)));
            document.headed(&format!("skill_{number}"), skill, items);
        }
        let situations = draft.situations.iter().flat_map(|situation| {
            let answer = Item::labelled(labels.word("good_answer"), &situation.good_answer);
            [Item::new(&situation.question), answer]
        });
        let situations = situations.filter(|item| !item.text.is_empty());
        document.some_items("situations", situations.collect());
        document.some_items("team", lines(&draft.team));
        document.some_items("additional", lines(&draft.additional));
        document.some_items("practical", lines(&draft.practical));
        let facts = proven(draft.tell, document);
        document.some_items("truth", lines(&facts));
        document.some_items("closing", lines(&draft.closing));
    }

    /// The skills as headings with placeholders, then the other subjects of the guide.
    fn fallback(&self, _: &[SourceText], document: &mut Document) {
        let labels = labels(document.language);
        if !MANAGER {
            document.items("motivation", Vec::new());
        }
        for (number, skill) in (1..).zip(&self.skills) {
            document.headed(&format!("skill_{number}"), skill, Vec::new());
        }
        document.some_items("additional", lines(&self.areas));
        if MANAGER {
            let duties = self.profile.items_of("responsibilities");
            let situations = duties.map(|duty| Item::labelled(&duty.text, BLANK));
            document.items("situations", situations.collect());
            document.items("team", self.profile.items_of("team").cloned().collect());
        } else {
            let topics = ["notice", "pay", "location", "start"];
            let topics = topics.map(|topic| Item::labelled(labels.word(topic), BLANK));
            document.items("practical", topics.to_vec());
        }
        document.items("closing", Vec::new());
    }
}

/// The profile's must-haves, or those skills of it that were asked for.
fn skills(profile: &Document, args: &Args, sources: &mut Sources) -> Vec<String> {
    let mut known = texts_of(profile, "must_haves");
    let is_chosen = !args.skills_to_include.is_empty();
    if is_chosen || args.include_good_to_haves {
        known.extend(texts_of(profile, "good_to_haves"));
    }
    if !is_chosen {
        return known;
    }
    let mut chosen = Vec::new();
    for asked in args.skills_to_include.iter().map(|asked| short(asked)) {
        let lower = asked.to_lowercase();
        let named = |skill: &&String| !lower.is_empty() && skill.to_lowercase().contains(&lower);
        match known.iter().find(named) {
            Some(skill) if !chosen.contains(skill) => chosen.push(skill.clone()),
            Some(_) => {}
            None => sources.note("unknown_skill", &[("text", &asked)]),
        }
    }
    chosen
}
