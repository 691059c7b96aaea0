//! Requests for candidates by conditions, with their arguments.

use serde_json::{Value, json};

pub(super) fn examples() -> Vec<(&'static str, Value)> {
    let mut all = limits();
    all.extend(skills());
    all.extend(kinds());
    all
}

fn limits() -> Vec<(&'static str, Value)> {
    vec![
        (
            "Кто укладывается в 50000 рублей?",
            json!({ "max_price": 50000 }),
        ),
        ("кто просит до 45000 рублей?", json!({ "max_price": 45000 })),
        ("кто просит от 60000 рублей?", json!({ "min_price": 60000 })),
        ("кто сделает за 5 дней", json!({ "max_days": 5 })),
        ("есть кто-нибудь до 40000?", json!({ "max_price": 40000 })),
        ("anyone below 25000?", json!({ "max_price": 24999 })),
        ("who can deliver within 5 days?", json!({ "max_days": 5 })),
        ("who can finish in 5 days?", json!({ "max_days": 5 })),
        ("кто просит от 60000?", json!({ "min_price": 60000 })),
        ("кто дороже 60000?", json!({ "min_price": 60001 })),
        (
            "who asks for at least 60000?",
            json!({ "min_price": 60000 }),
        ),
        ("у кого срок от 20 дней?", json!({ "min_days": 20 })),
        (
            "у кого скрининг не ниже 70?",
            json!({ "min_screening": 70 }),
        ),
        (
            "who has a screening of at least 70?",
            json!({ "min_screening": 70 }),
        ),
        (
            "у кого интервью не ниже 60?",
            json!({ "min_interview": 60 }),
        ),
        (
            "who has an interview of at least 60?",
            json!({ "min_interview": 60 }),
        ),
        ("у кого рейтинг от 75?", json!({ "min_score": 75 })),
        (
            "кто самый дешёвый в рамках бюджета?",
            json!({ "within_budget": true, "sort": "price" }),
        ),
        (
            "who is the cheapest within budget?",
            json!({ "within_budget": true, "sort": "price" }),
        ),
        ("кто выше бюджета?", json!({ "within_budget": false })),
        (
            "кто успеет до дедлайна?",
            json!({ "before_deadline": true }),
        ),
        (
            "who can make the deadline?",
            json!({ "before_deadline": true }),
        ),
    ]
}

fn skills() -> Vec<(&'static str, Value)> {
    vec![
        (
            "у кого нет навыка SEO?",
            json!({ "without_skills": ["SEO"] }),
        ),
        (
            "кто знает навык React?",
            json!({ "with_skills": ["React"] }),
        ),
        ("who has skill React?", json!({ "with_skills": ["React"] })),
        (
            "who is missing skill SEO?",
            json!({ "without_skills": ["SEO"] }),
        ),
        ("кто знает Python?", json!({ "with_skills": ["Python"] })),
        ("who knows Python?", json!({ "with_skills": ["Python"] })),
        (
            "сколько кандидатов знают Python?",
            json!({ "with_skills": ["Python"] }),
        ),
        (
            "у кого есть Figma и Tilda?",
            json!({ "with_skills": ["Figma", "Tilda"] }),
        ),
        (
            "who knows Figma or Tilda?",
            json!({ "any_skills": ["Figma", "Tilda"] }),
        ),
        (
            "нужны люди с Python, но без SEO",
            json!({ "with_skills": ["Python"], "without_skills": ["SEO"] }),
        ),
        ("нужны люди с Python", json!({ "with_skills": ["Python"] })),
        (
            "I need people with Python",
            json!({ "with_skills": ["Python"] }),
        ),
        (
            "у кого есть Python, но нет SEO?",
            json!({ "with_skills": ["Python"], "without_skills": ["SEO"] }),
        ),
    ]
}

fn kinds() -> Vec<(&'static str, Value)> {
    vec![
        ("покажи новые отклики", json!({ "status": "NEW" })),
        ("кто на интервью?", json!({ "status": "INTERVIEW" })),
        ("кого уже оценили?", json!({ "status": "EVALUATED" })),
        ("кого отклонили?", json!({ "hr_status": "REJECTED" })),
        ("who was rejected?", json!({ "hr_status": "REJECTED" })),
        (
            "кто не рекомендован?",
            json!({ "recommendation": "NOT_RECOMMENDED" }),
        ),
        (
            "who is not recommended?",
            json!({ "recommendation": "NOT_RECOMMENDED" }),
        ),
        ("кто самый быстрый?", json!({ "sort": "delivery" })),
        ("кто самый дешёвый?", json!({ "sort": "price" })),
        ("who is the cheapest?", json!({ "sort": "price" })),
        (
            "кто самый дорогой?",
            json!({ "sort": "price", "direction": "desc" }),
        ),
        (
            "who is the most expensive?",
            json!({ "sort": "price", "direction": "desc" }),
        ),
        (
            "у кого лучше прошло интервью?",
            json!({ "sort": "interview" }),
        ),
        ("кто не указал цену?", json!({ "has_price": false })),
        ("с кем не было интервью?", json!({ "has_interview": false })),
    ]
}
