//! The tools, one after the other and with bad input.

use std::sync::Arc;

use frontdesk_core::artifact::{Artifact, ExportFormat, NewArtifact};
use frontdesk_core::assistant::ContextLoader;
use frontdesk_core::conversation::Conversation;
use frontdesk_core::id::ArtifactId;
use serde_json::{Value, json};
use uuid::Uuid;

use super::kit::{FixedClock, Kit, Pages, person};
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
        ["Vacuum", "Sweep", "Mop", "Scrub", "Other"]
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
    // A band stays a range: 80 % of $2,000 to $5,000, less a lease of $1,155.
    assert_eq!(
        roi.result["estimates"][0]["estimated_monthly_savings"],
        json!({ "low": 445.0, "high": 2845.0 })
    );
    assert!(
        roi.summary.contains("would save $445 to $2,845 a month")
            && roi.summary.contains("Assumed, not stated"),
        "{}",
        roi.summary
    );
    let why = talk
        .done("summarise_decision", json!({ "about": "figures" }))
        .await;
    assert!(
        why.summary.contains("said by Bea Carter"),
        "{}",
        why.summary
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
    // The chat has the result; the document is beside it.
    assert!(
        case.summary.contains("Ready as PDF and as Markdown")
            && case.summary.contains("would save $445 to $2,845 a month")
            && !case.summary.contains('|'),
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
        created_at: FixedClock.now(),
    };
    let export = kit.bundle.export.unwrap();
    let pdf = export(&artifact, ExportFormat::Pdf).unwrap().unwrap();
    assert!(pdf.starts_with(b"%PDF-"));
    let text = export(&artifact, ExportFormat::Markdown).unwrap().unwrap();
    let written = String::from_utf8(text).unwrap();
    assert!(
        written.starts_with("# Business case")
            && written.contains("Who decides: The board")
            && written.contains("we run a 6-court pickleball club"),
        "{written}"
    );
    assert_eq!(export(&artifact, ExportFormat::Docx), Ok(None));
    let earlier = Artifact {
        content: json!({ "company": "Riverside", "figures": { "net": 1645 } }),
        ..artifact
    };
    for format in [ExportFormat::Pdf, ExportFormat::Markdown] {
        let outdated = export(&earlier, format).unwrap_err();
        assert!(outdated.sentence.ends_with("Make the business case again."));
    }
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
        problem.contains("Nothing was recorded") && problem.contains("not in the person's words"),
        "{problem}"
    );
    for (key, value, quote, says) in [
        (
            "company_name",
            "Tennis Club",
            "tennis club",
            "kind of building",
        ),
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
async fn a_phase_is_never_refused_and_names_the_facts_that_its_figures_need() {
    let kit = Kit::new().await;
    let mut talk = kit.talk();
    let there = talk.done("set_phase", json!({ "phase": "roi" })).await;
    assert_eq!(talk.conversation.phase, ROI_PHASE);
    assert_eq!(
        there.summary,
        "We are in the roi phase. There are too few facts for a figure. Missing: floor area and how it is cleaned. \
         How large is the floor, in square metres or square feet? How do you clean the floors today?"
    );
    let unknown = talk
        .fails("set_phase", json!({ "phase": "checkout" }))
        .await;
    assert!(unknown.contains("phase"), "{unknown}");
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
}

#[tokio::test]
async fn a_request_of_a_later_phase_moves_there_and_answers() {
    let kit = Kit::new().await;
    for (tool, arguments, phase, answer) in [
        ("calculate_roi", json!({}), ROI_PHASE, "Missing: floor area"),
        (
            "recommend_robots",
            json!({}),
            ROI_PHASE,
            "Missing: floor area",
        ),
        (
            "update_shortlist",
            json!({ "add": ["Pudu CC1"] }),
            SELECTION_PHASE,
            "On the shortlist",
        ),
    ] {
        let mut talk = kit.talk();
        let done = talk.done(tool, arguments).await;
        assert_eq!(talk.conversation.phase, phase, "{tool}");
        assert!(
            done.summary
                .contains("\u{201c}back to discovery\u{201d} returns.")
                && done.summary.contains(answer),
            "{}",
            done.summary
        );
    }
    let mut talk = kit.talk();
    talk.interviewed().await;
    let again = talk.done("calculate_roi", json!({})).await;
    assert_eq!(again.outbox.phase, None);
}

#[tokio::test]
async fn an_edit_survives_the_next_edit_until_it_is_reset() {
    let kit = Kit::new().await;
    let mut talk = kit.talk();
    talk.interviewed().await;
    let cc1 = json!({ "robots": ["Pudu CC1"], "utilization": 0.6 });
    let net = |output: &frontdesk_core::tool::ToolOutput| {
        output.result["estimates"][0]["estimated_monthly_savings"]["low"].clone()
    };
    // $3,500 × 80 % × 60 % − $1,155.
    assert_eq!(net(&talk.done("calculate_roi", cc1).await), 525.0);
    // 60 h × $32 × 80 % × 60 % − $1,155, for the same robot.
    let dearer = talk
        .done("calculate_roi", json!({ "labor_rate": 32.0 }))
        .await;
    assert_eq!(net(&dearer), -233.4);
    // The newest of spend and rate decides.
    let spent = talk
        .done("calculate_roi", json!({ "manual_monthly_spend": 5000.0 }))
        .await;
    assert_eq!(net(&spent), 1245.0);
    let reset = talk.done("calculate_roi", json!({ "reset": true })).await;
    assert_eq!(net(&reset), 1645.0);
}

#[tokio::test]
async fn a_decision_is_summed_up_from_facts_and_figures() {
    let kit = Kit::new().await;
    let mut talk = kit.talk();
    let about = |topic: &str| json!({ "about": topic });
    let first = talk.done("summarise_decision", about("next_steps")).await;
    assert!(
        first
            .summary
            .contains("1. Tell me what the figures need: How large"),
        "{}",
        first.summary
    );
    talk.interviewed().await;
    talk.done("calculate_roi", json!({ "robots": ["Pudu CC1"] }))
        .await;
    for (topic, words) in [
        ("facts", "- Courts: 6"),
        (
            "figures",
            "| Work taken over | 100 % × 100 % × 80 % × 100 % | 80 % |",
        ),
        ("options", "The shortlist is empty. What fits best"),
        ("next_steps", "1. Put one or more robots on the shortlist"),
    ] {
        let done = talk.done("summarise_decision", about(topic)).await;
        assert!(done.summary.contains(words), "{topic}: {}", done.summary);
    }
}

#[tokio::test]
async fn every_kind_of_building_is_interviewed_without_courts() {
    let kit = Kit::new().await;
    for (words, kind) in [
        ("We run a 300-bed hospital, 20,000 m2 of vinyl", "Hospital"),
        ("We are a primary school", "School"),
        ("I manage a hotel with 200 rooms", "Hotel"),
        ("We operate an airport", "Airport"),
        ("we run a supermarket", "Supermarket"),
        ("It is a factory for car parts", "Factory"),
        ("We manage an office tower downtown", "Office Building"),
        ("We run a bowling alley", "Bowling alley"),
    ] {
        let mut talk = kit.talk();
        let done = talk.says(words).await;
        assert!(
            done.summary.contains(&format!("Kind of facility: {kind}")),
            "{}",
            done.summary
        );
        assert!(!done.summary.contains("courts"), "{}", done.summary);
        talk.words.push("cathedral".to_owned());
        let free = json!({ "facts": [{ "key": "company_type", "value": "cathedral", "quote": "cathedral" }] });
        let done = talk.done("record_facts", free).await;
        assert_eq!(done.result["changed"][0]["value"], "Cathedral");
    }
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
            .contains("No robot that can do the work leases for $500 a month or less"),
        "{}",
        found.summary
    );
    assert!(
        found.result["recommendations"]
            .as_array()
            .unwrap()
            .iter()
            .all(|one| one["label"] == "ALTERNATIVE")
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
            && told.contains("Said: Courts = 6 (“we run a 6-court pickleball club”)")
            && told.contains("missing: method, duration, monthly_spend, company_name"),
        "{told}"
    );
    // Unreadable metadata, written by an owner by hand, counts as absent.
    talk.conversation
        .metadata
        .insert("discovery".to_owned(), json!("broken"));
    let told = Journey
        .load(&person(&[]), &talk.conversation)
        .await
        .unwrap();
    assert!(told.contains("missing: company_type"), "{told}");
}

#[tokio::test]
async fn an_earlier_name_of_the_last_phase_is_known() {
    let kit = Kit::new().await;
    let assistant = kit.assistant();
    assert_eq!(assistant.phase("greenlight"), Some(SELECTION_PHASE));
    assert_eq!(assistant.phase("completed"), None);
    assert_eq!(assistant.limits.window.max_messages, 20);
}
