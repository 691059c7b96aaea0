//! A workspace to try the assistant with: two gigs in Russian, one with 12 candidates and one with
//! 300, the same on every machine.

mod people;

use std::sync::Arc;

use async_trait::async_trait;
use chrono::{DateTime, TimeDelta, Utc};
use frontdesk_core::access::Principal;
use frontdesk_core::env::Env;
use frontdesk_core::persona::demo_id;
use uuid::Uuid;

use frontdesk_bundle::{BoxError, DemoData, SetupContext};

use super::domain::gig_context::{GigRequirements, LanguageLevel};
use super::domain::kinds::GigType;
use super::people::WORKSPACE;
use super::store::{Gigs, NewGig};

pub(super) struct Workspace {
    gigs: Arc<Gigs>,
    env: Arc<dyn Env>,
}

impl Workspace {
    pub(super) fn new(gigs: &Arc<Gigs>, ctx: &SetupContext) -> Self {
        Self {
            gigs: Arc::clone(gigs),
            env: Arc::clone(&ctx.env),
        }
    }
}

/// How many candidates each gig of the demo has.
const SMALL: usize = 12;
const LARGE: usize = 300;

#[async_trait]
impl DemoData for Workspace {
    async fn bring(&self, who: &Principal) -> Result<(), BoxError> {
        let now = self.env.now();
        for (gig, people, seed) in [(shop(now), LARGE, 7), (landing(now), SMALL, 1)] {
            let id = gig.id;
            let wanted = gig.requirements.clone().unwrap_or_default();
            let budget = gig.budget;
            if self.gigs.add(who, gig).await? {
                let responses = people::responses(people, seed, &wanted, budget, now);
                self.gigs.respond(who, id, responses).await?;
            }
        }
        Ok(())
    }
}

/// Responses of any number, for figures.
#[cfg(test)]
pub(super) fn responses(people: usize, now: DateTime<Utc>) -> Vec<super::store::NewResponse> {
    people::responses(people, 3, &GigRequirements::default(), (None, None), now)
}

fn workspace() -> Uuid {
    demo_id("company", WORKSPACE)
}

fn skills(list: &[&str]) -> Vec<String> {
    list.iter().map(|skill| (*skill).to_owned()).collect()
}

/// The newest gig: what a conversation without a subject is about.
fn landing(now: DateTime<Utc>) -> NewGig {
    NewGig {
        id: demo_id("gig", "landing"),
        workspace: workspace(),
        title: "Лендинг для онлайн-школы".to_owned(),
        description: Some("Сверстать одностраничный сайт по готовому макету: адаптивная вёрстка, форма записи, базовое SEO.".to_owned()),
        requirements: Some(GigRequirements {
            title: "Верстальщик лендинга".to_owned(),
            summary: "Адаптивная вёрстка по макету из Figma".to_owned(),
            deliverables: skills(&["Готовая страница", "Исходники", "Инструкция по публикации"]),
            required_skills: skills(&["HTML", "CSS", "JavaScript", "Figma"]),
            nice_to_have_skills: skills(&["SEO", "React"]),
            tech_stack: skills(&["HTML", "CSS", "JavaScript"]),
            experience_level: "middle".to_owned(),
            languages: vec![LanguageLevel {
                language: "Русский".to_owned(),
                level: "свободно".to_owned(),
            }],
            keywords_for_matching: skills(&["вёрстка", "лендинг"]),
        }),
        r#type: GigType::Development,
        budget: (Some(20_000), Some(50_000)),
        deadline: Some(now + TimeDelta::days(21)),
        estimated_duration: Some("2–3 недели".to_owned()),
        instructions: Some("Обращай внимание на портфолио с учебными проектами.".to_owned()),
        created_at: now - TimeDelta::days(3),
    }
}

fn shop(now: DateTime<Utc>) -> NewGig {
    NewGig {
        id: demo_id("gig", "shop"),
        workspace: workspace(),
        title: "Интернет-магазин: каталог и оплата".to_owned(),
        description: Some(
            "Разработать каталог, корзину и приём оплаты для магазина товаров для дома.".to_owned(),
        ),
        requirements: Some(GigRequirements {
            title: "Веб-разработчик".to_owned(),
            summary: "Полный цикл: клиентская часть, сервер, интеграция оплаты".to_owned(),
            deliverables: skills(&["Рабочий магазин", "Документация"]),
            required_skills: skills(&["React", "TypeScript", "Node.js", "PostgreSQL"]),
            nice_to_have_skills: skills(&["Docker", "SEO"]),
            tech_stack: skills(&["React", "Node.js", "PostgreSQL"]),
            experience_level: "senior".to_owned(),
            languages: Vec::new(),
            keywords_for_matching: skills(&["магазин", "оплата"]),
        }),
        r#type: GigType::Development,
        budget: (Some(80_000), Some(200_000)),
        deadline: Some(now + TimeDelta::days(60)),
        estimated_duration: Some("1–2 месяца".to_owned()),
        instructions: None,
        created_at: now - TimeDelta::days(10),
    }
}
