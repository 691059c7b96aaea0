//! The seven tools, one after the other and with bad input.

use std::sync::Arc;

use frontdesk_core::artifact::{Artifact, ExportFormat, NewArtifact};
use frontdesk_core::assistant::ContextLoader;
use frontdesk_core::conversation::Conversation;
use frontdesk_core::id::ArtifactId;
use serde_json::{Value, json};
use uuid::Uuid;

use super::kit::{Kit, Pages, Still, person};
use crate::journey::{DISCOVERY_PHASE, Journey, ROI_PHASE, SELECTION_PHASE};
use frontdesk_core::env::Env;

#[tokio::test]
async fn from_the_first_sentence_to_a_business_case() {
    let kit = Kit::new().await;
    let mut talk = kit.talk();
    let first = talk.says("we run a 6-court pickleball club").await;
    assert!(
        first.summary.contains("Courts: 6") && first.summary.contains("How do you clean"),
        "{}",
        first.summary
    );
    assert_eq!(
        first.outbox.quick_replies,
        ["Vacuum", "Sweep", "Mop", "Other"]
    );
    talk.says("Vacuum").await;
    talk.says("2 hr").await;
    let ready = talk.says("$2,000 - $5,000").await;
    assert!(ready.summary.contains("go to ROI"), "{}", ready.summary);
    assert_eq!(ready.outbox.quick_replies[0], "Go to ROI");
    let state = &talk.conversation.metadata["discovery_state"];
    assert_eq!(
        (
            &state["ready_for_roi"],
            &state["progress_percent"],
            &state["missing_keys"]
        ),
        (&json!(true), &json!(83), &json!(["company_name"]))
    );

    talk.done("set_phase", json!({ "phase": "roi" })).await;
    assert_eq!(talk.conversation.phase, ROI_PHASE);
    let roi = talk
        .done("calculate_roi", json!({ "robots": ["Pudu CC1"] }))
        .await;
    assert_eq!(
        roi.result["estimates"][0]["estimated_monthly_savings"],
        1645.0
    );
    assert!(
        roi.summary.contains("would save $1,645 a month") && roi.summary.contains("Saved in all"),
        "{}",
        roi.summary
    );
    let best = talk.done("recommend_robots", json!({})).await;
    let name = best.result["recommendations"][0]["robot"]
        .as_str()
        .unwrap()
        .to_owned();
    talk.done("update_shortlist", json!({ "add": [name, "Pudu CC1"], "stakeholders": ["The board"], "next_step": "schedule_demo" })).await;
    talk.done("set_phase", json!({ "phase": "greenlight" }))
        .await;
    assert_eq!(talk.conversation.phase, SELECTION_PHASE);
    let case = talk
        .done("make_business_case", json!({ "robot": "Pudu CC1" }))
        .await;
    assert!(
        case.summary.contains("Who decides: The board")
            && case.summary.contains("we run a 6-court pickleball club"),
        "{}",
        case.summary
    );
    taken_away(&kit, &talk.conversation, &case.outbox.artifacts[0]);
}

/// A document as Markdown and as a page.
fn taken_away(kit: &Kit, conversation: &Conversation, kept: &NewArtifact) {
    assert_eq!(kept.kind, "business_case");
    let artifact = Artifact {
        id: ArtifactId::from_uuid(Uuid::now_v7()),
        conversation: conversation.id,
        kind: kept.kind.clone(),
        key: String::new(),
        version: 1,
        status: kept.status,
        title: kept.title.clone(),
        content: kept.content.clone(),
        built_from: Vec::new(),
        author: None,
        created_at: Still.now(),
    };
    let export = kit.bundle.export.unwrap();
    let pdf = export(&artifact, ExportFormat::Pdf).unwrap();
    assert!(pdf.starts_with(b"%PDF-"));
    let text = export(&artifact, ExportFormat::Markdown).unwrap();
    assert!(text.starts_with(b"# Business case"));
    assert_eq!(export(&artifact, ExportFormat::Docx), None);
}

#[tokio::test]
async fn a_fact_that_was_not_said_is_not_recorded() {
    let kit = Kit::new().await;
    let mut talk = kit.talk();
    talk.words
        .push("We run a tennis club with eight courts".to_owned());
    let fact =
        |key: &str, value: &str, quote: &str| json!({ "key": key, "value": value, "quote": quote });
    let problem = talk.fails("record_facts", json!({ "facts": [fact("courts_count", "8", "eight courts"), fact("monthly_spend", "$4000", "we spend 4000")] })).await;
    assert!(
        problem.contains("Nothing was recorded") && problem.contains("did not say"),
        "{problem}"
    );
    for (key, value, quote, says) in [
        ("company_name", "Tennis Club", "tennis club", "company_type"),
        ("courts_count", "-8", "eight courts", "whole number"),
        ("sqft", "8", "eight courts", "with its unit"),
        ("monthly_spend", "€8", "eight courts", "US dollars"),
    ] {
        let problem = talk
            .fails(
                "record_facts",
                json!({ "facts": [fact(key, value, quote)] }),
            )
            .await;
        assert!(problem.contains(says), "{problem}");
    }
    let done = talk.done("record_facts", json!({ "facts": [fact("courts_count", "8", "eight courts"), fact("company_type", "Tennis Club", "a tennis club")] })).await;
    assert_eq!(done.result["recorded"].as_array().unwrap().len(), 2);
    let kept = &talk.conversation.metadata["discovery"]["facts"];
    assert_eq!(kept[1]["quote"], "eight courts");
    assert_eq!(
        (
            &kept[1]["question_id"],
            &kept[1]["label"],
            &kept[1]["group"]
        ),
        (&json!("courts_count"), &json!("Courts"), &json!("Facility"))
    );
}

#[tokio::test]
async fn a_contradiction_is_told_and_the_rest_is_kept() {
    let kit = Kit::new().await;
    let mut talk = kit.talk();
    talk.says("we run a 6-court pickleball club").await;
    let changed = talk.says("Sorry, we have 8 courts.").await;
    assert!(
        changed.summary.contains("Courts: 8 (before: 6)"),
        "{}",
        changed.summary
    );
    assert_eq!(changed.result["changed"][0]["before"], "6");
    assert_eq!(
        talk.conversation.metadata["discovery"]["facts"][0]["value"],
        "Pickleball Club"
    );
}

#[tokio::test]
async fn a_phase_needs_what_comes_before_it_unless_the_person_insists() {
    let kit = Kit::new().await;
    let mut talk = kit.talk();
    talk.words.push("go to ROI".to_owned());
    let problem = talk.fails("set_phase", json!({ "phase": "roi" })).await;
    assert!(
        problem.contains("not enough") && problem.contains("Kind of facility"),
        "{problem}"
    );
    let unknown = talk
        .fails("set_phase", json!({ "phase": "checkout" }))
        .await;
    assert!(unknown.contains("phase"), "{unknown}");
    talk.words.push("go to ROI anyway".to_owned());
    talk.done("set_phase", json!({ "phase": "roi" })).await;
    talk.words.push("go to selection".to_owned());
    talk.fails("set_phase", json!({ "phase": "selection" }))
        .await;
    let back = talk
        .done(
            "set_phase",
            json!({ "phase": "discovery", "reason": "a fact was wrong" }),
        )
        .await;
    assert_eq!(
        back.outbox.phase,
        Some((DISCOVERY_PHASE, "a fact was wrong".to_owned()))
    );
    let mut talk = kit.talk();
    talk.interviewed().await;
    assert!(
        talk.fails("set_phase", json!({ "phase": "selection" }))
            .await
            .contains("calculated")
    );
    talk.done("recommend_robots", json!({})).await;
    talk.done("set_phase", json!({ "phase": "selection" }))
        .await;
    assert_eq!(talk.conversation.phase, SELECTION_PHASE);
}

#[tokio::test]
async fn tools_of_later_phases_are_not_there_in_discovery() {
    let kit = Kit::new().await;
    let mut talk = kit.talk();
    for tool in [
        "calculate_roi",
        "recommend_robots",
        "update_shortlist",
        "make_business_case",
    ] {
        talk.fails(tool, json!({})).await;
    }
    talk.done("search_products", json!({ "surface": "carpet" }))
        .await;
}

#[tokio::test]
async fn only_robots_of_the_catalogue_are_used() {
    let kit = Kit::new().await;
    let mut talk = kit.talk();
    talk.interviewed().await;
    for (tool, arguments) in [
        ("calculate_roi", json!({ "robots": ["Roomba j9"] })),
        ("update_shortlist", json!({ "add": ["Roomba j9"] })),
        ("make_business_case", json!({ "robot": "Roomba j9" })),
    ] {
        let problem = talk.fails(tool, arguments).await;
        assert!(problem.contains("not in the catalogue"), "{problem}");
    }
    let near = talk
        .fails("update_shortlist", json!({ "add": ["Kleenbot"] }))
        .await;
    assert!(
        near.contains("Did you mean: Keenon Kleenbot C40, Keenon Kleenbot C30?"),
        "{near}"
    );
    assert!(
        talk.fails("make_business_case", json!({}))
            .await
            .contains("no robot on the shortlist")
    );
    assert!(
        talk.fails("update_shortlist", json!({ "remove": ["Pudu CC1"] }))
            .await
            .contains("is not on the shortlist")
    );
}

#[tokio::test]
async fn absurd_numbers_are_refused() {
    let kit = Kit::new().await;
    let mut talk = kit.talk();
    talk.interviewed().await;
    for arguments in [
        json!({ "labor_rate": -5 }),
        json!({ "manual_monthly_spend": 1e15 }),
        json!({ "manual_monthly_hours": -1 }),
    ] {
        assert!(
            talk.fails("calculate_roi", arguments.clone())
                .await
                .contains("must be a number"),
            "{arguments}"
        );
    }
    let refused = talk
        .fails("calculate_roi", json!({ "utilization": 2 }))
        .await;
    assert!(
        refused.contains("utilization") && refused.contains("maximum of 1"),
        "{refused}"
    );
    assert!(
        !talk
            .fails("search_products", json!({ "aisle_width_cm": -1 }))
            .await
            .is_empty()
    );
    assert!(
        !talk
            .fails("recommend_robots", json!({ "monthly_budget": -1 }))
            .await
            .is_empty()
    );
    assert!(
        !talk
            .fails("recommend_robots", json!({ "top_k": 51 }))
            .await
            .is_empty()
    );
}

#[tokio::test]
async fn a_budget_below_every_lease_is_said() {
    let kit = Kit::new().await;
    let mut talk = kit.talk();
    talk.interviewed().await;
    talk.says("Our budget is $500 a month").await;
    let found = talk.done("recommend_robots", json!({})).await;
    assert!(
        found
            .summary
            .contains("No robot leases for $500 a month or less"),
        "{}",
        found.summary
    );
    assert!(
        found.result["recommendations"]
            .as_array()
            .unwrap()
            .iter()
            .all(|one| one["label"] != "RECOMMENDED")
    );
    let none = talk
        .done("search_products", json!({ "max_monthly_lease": 500 }))
        .await;
    assert!(
        none.summary
            .contains("the cheapest is the Keenon Kleenbot C30"),
        "{}",
        none.summary
    );
}

#[tokio::test]
async fn products_are_found_by_meaning_and_by_filter() {
    let search = Arc::new(Pages::default());
    let kit = Kit::with(Arc::clone(&search) as _).await;
    let mut talk = kit.talk();
    let names = |output: &Value| -> Vec<String> {
        let found = output["products"].as_array().unwrap().iter();
        found
            .map(|robot| robot["name"].as_str().unwrap().to_owned())
            .collect()
    };
    let found = talk
        .done("search_products", json!({ "query": "supermarkets night" }))
        .await;
    assert_eq!(names(&found.result)[0], "Tennant T7AMR");
    let found = talk
        .done(
            "search_products",
            json!({ "query": "restaurants", "mode": "mop", "aisle_width_cm": 60 }),
        )
        .await;
    assert_eq!(names(&found.result), ["Gausium Phantas"]);
    assert_eq!(
        *search.replaced.lock().unwrap(),
        1,
        "what did not change is not handed over again"
    );
    assert_eq!(search.kept.lock().unwrap().len(), 11);
}

#[tokio::test]
async fn a_failing_retrieval_fails_nothing() {
    let kit = Kit::with(Arc::new(Pages {
        broken: true,
        ..Pages::default()
    }))
    .await;
    let mut talk = kit.talk();
    talk.interviewed().await;
    let found = talk
        .done(
            "search_products",
            json!({ "query": "carpet", "surface": "carpet" }),
        )
        .await;
    assert!(
        found.summary.contains("does not work just now")
            && found.summary.contains("Gausium Vacuum 40"),
        "{}",
        found.summary
    );
    let context = &kit.assistant().context[1];
    let told = context
        .load(&person(&[]), &talk.conversation)
        .await
        .unwrap();
    assert!(told.contains("could not be looked up"), "{told}");
}

// design: 002 product context
#[tokio::test]
async fn product_context_comes_in_roi_and_selection_only() {
    let kit = Kit::new().await;
    let mut talk = kit.talk();
    let context = &kit.assistant().context[1];
    assert_eq!(context.load(&person(&[]), &talk.conversation).await, None);
    talk.interviewed().await;
    let told = context
        .load(&person(&[]), &talk.conversation)
        .await
        .unwrap();
    assert!(
        told.contains("Products that may fit (indicative prices)"),
        "{told}"
    );
}

#[tokio::test]
async fn the_model_is_told_the_phase_the_facts_and_what_is_missing() {
    let kit = Kit::new().await;
    let mut talk = kit.talk();
    talk.says("we run a 6-court pickleball club").await;
    let told = Journey
        .load(&person(&[]), &talk.conversation)
        .await
        .unwrap();
    assert!(
        told.contains("Phase: discovery.")
            && told.contains("Said: Courts = 6")
            && told.contains("missing: method, duration, monthly_spend, company_name"),
        "{told}"
    );
    // What an owner wrote into the metadata by hand and cannot be read counts as nothing.
    talk.conversation
        .metadata
        .insert("discovery".to_owned(), json!("broken"));
    let told = Journey
        .load(&person(&[]), &talk.conversation)
        .await
        .unwrap();
    assert!(told.contains("missing: company_type"), "{told}");
}

// design: 002 phase discovery, phase roi, phase selection
#[tokio::test]
async fn prompts_are_the_phases_own() {
    let kit = Kit::new().await;
    let assistant = kit.assistant();
    for (phase, words) in [
        (
            DISCOVERY_PHASE,
            [
                "priorities",
                "one or two questions at a time",
                "suggest moving on",
            ],
        ),
        (
            ROI_PHASE,
            [
                "profile from discovery",
                "assumptions",
                "moving on to selection",
            ],
        ),
        (
            SELECTION_PHASE,
            [
                "Sum up",
                "who takes part in the decision",
                "connect them with sales",
            ],
        ),
    ] {
        let prompt = assistant.system_prompt(&phase);
        for words in words {
            assert!(
                prompt.to_lowercase().contains(&words.to_lowercase()),
                "{words}: {prompt}"
            );
        }
        assert!(prompt.contains("never pushy"));
    }
    assert_eq!(assistant.phase("greenlight"), Some(SELECTION_PHASE));
    assert_eq!(assistant.phase("completed"), None);
    assert_eq!(assistant.limits.window.max_messages, 20);
}
