//! The interview with a model over the real protocol: the prompts of the design on the wire, phases that
//! move by tool and back, facts with their quotes, and questions about the result.

use frontdesk_testkit::model_server::{Answer, call, say};
use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::server::{Person, TestServer};

const ROLE: &str = "You are an AI procurement assistant for Autopilot";
const DISCOVERY: &str = "Current Phase: Discovery
Your goal is to understand the buyer's facility profile, priorities, and constraints.

Guidelines:
- Ask clarifying questions about facility type, size, and current cleaning approach
- Understand their priorities (cost reduction, quality improvement, labor challenges)
- Identify constraints (budget, timeline, integration requirements)
- Be helpful and educational, not pushy
- When you have enough information, suggest moving to the ROI phase

Keep responses conversational and focused. Ask one or two questions at a time.";
const ROI: &str = "Current Phase: ROI Analysis
Your goal is to present ROI estimates and product recommendations.

Guidelines:
- Reference the facility profile from discovery
- Present estimated savings and payback periods
- Recommend specific products based on their needs
- Explain the assumptions behind calculations
- When ready, suggest moving to the selection phase";
const SELECTION: &str = "Current Phase: Option Selection
Your goal is to help finalize their selection and define next steps.

Guidelines:
- Summarize the recommended options
- Help them identify stakeholders for the decision
- Define clear next steps
- Offer to connect them with sales for detailed proposals";

struct Talk {
    server: TestServer,
    buyer: Person,
    id: String,
}

/// The requests of one turn and the phase after it.
struct Turn {
    requests: Vec<Value>,
    phase: Value,
}

impl Talk {
    async fn turn<const N: usize>(&self, words: &str, script: [Answer; N]) -> Turn {
        let before = self.server.model.request_count();
        self.server.model.script(script);
        let path = format!("/conversations/{}", self.id);
        let body = json!({ "content": words });
        let said = self
            .server
            .post(&self.buyer, &format!("{path}/messages"), body)
            .await;
        assert_eq!(said.status, StatusCode::CREATED, "{said:?}");
        let requests = self.server.model.requests().split_off(before);
        Turn {
            requests: requests.iter().map(|request| request.json()).collect(),
            phase: self.server.get(&self.buyer, &path).await.body["phase"].clone(),
        }
    }
}

impl Turn {
    /// The system prompt of the first request.
    fn prompt(&self) -> &str {
        let first = &self.requests[0]["messages"][0];
        assert_eq!(first["role"], "system");
        first["content"].as_str().unwrap()
    }

    /// The result of the first tool, as the model receives it, has this part.
    fn found(&self, part: &str) {
        let messages = self.requests[1]["messages"].as_array().unwrap();
        let tool = messages.iter().rfind(|message| message["role"] == "tool");
        let result = tool.unwrap()["content"].as_str().unwrap();
        assert!(result.contains(part), "{part}: {result}");
    }

    fn tools(&self) -> Vec<&str> {
        let tools = self.requests[0]["tools"].as_array().unwrap().iter();
        tools
            .map(|tool| tool["function"]["name"].as_str().unwrap())
            .collect()
    }

    fn is_in(&self, prompt: &str, then: &str) {
        for part in [ROLE, prompt] {
            assert!(self.prompt().contains(part), "{part}\n{}", self.prompt());
        }
        assert_eq!(self.phase, then);
        for tool in [
            "record_facts",
            "calculate_roi",
            "set_phase",
            "update_shortlist",
        ] {
            assert!(self.tools().contains(&tool), "{tool}: {:?}", self.tools());
        }
    }
}

fn facts(facts: &[(&str, &str, &str)]) -> Answer {
    let fact = |(key, value, quote): &(&str, &str, &str)| json!({ "key": key, "value": value, "quote": quote });
    let facts: Vec<Value> = facts.iter().map(fact).collect();
    call("record_facts", json!({ "facts": facts }))
}

// design: 002 phase discovery, discovery tone, phase roi, phase selection
#[tokio::test(flavor = "multi_thread")]
async fn the_prompts_of_the_design_are_sent_and_phases_move_by_tool_and_back() {
    for server in TestServer::on_both().await {
        let buyer = server.sign_in("buyer");
        let made = server.post(&buyer, "/conversations", json!({})).await;
        let id = made.body["id"].as_str().unwrap().to_owned();
        let talk = Talk { server, buyer, id };
        goes_ahead_and_back(&talk).await;
        keeps_quotes(&talk).await;
        answers_about_the_result(&talk).await;
        talk.server.stop().await;
    }
}

/// A request of a later phase moves there with a sentence, and names what is missing.
async fn goes_ahead_and_back(talk: &Talk) {
    let early = [
        call("calculate_roi", json!({})),
        say("We are there; what is the floor area?"),
    ];
    let turn = talk.turn("What would a robot save?", early).await;
    turn.is_in(DISCOVERY, "roi");
    turn.found(r#""missing":["sqft","method"]"#);
    turn.found(r#""moved":""#);
    let back = [
        call("set_phase", json!({ "phase": "discovery" })),
        say("Back."),
    ];
    let turn = talk.turn("Go back, please", back).await;
    turn.is_in(ROI, "discovery");
}

/// Facts keep the person's words; made-up ones are refused.
async fn keeps_quotes(talk: &Talk) {
    let words =
        "We run a tram depot with 4,000 m2 of concrete, scrubbed every night for $9,000 a month.";
    let invented = facts(&[("sqft", "9,000 m2", "we have 9,000 m2")]);
    let stated = facts(&[
        ("company_type", "tram depot", "We run a tram depot"),
        ("sqft", "4,000 m2", "4,000 m2 of concrete"),
        ("surfaces", "concrete", "4,000 m2 of concrete"),
        ("method", "Scrub", "scrubbed every night"),
        ("monthly_spend", "$9,000", "$9,000 a month"),
    ]);
    let turn = talk.turn(words, [invented, stated, say("Noted.")]).await;
    turn.is_in(DISCOVERY, "discovery");
    turn.found("is not in the person's words");
    let path = format!("/discovery/{}", talk.id);
    let seen = talk.server.get(&talk.buyer, &path).await.body;
    let kept = seen["groups"].to_string();
    for quote in [
        "We run a tram depot",
        "4,000 m2 of concrete",
        "scrubbed every night",
        "$9,000 a month",
    ] {
        assert!(kept.contains(quote), "{quote}: {kept}");
    }
}

async fn answers_about_the_result(talk: &Talk) {
    let figures = call("calculate_roi", json!({ "robots": ["Avidbots Neo 2W"] }));
    let turn = talk
        .turn("And now?", [figures, say("$3,975 a month.")])
        .await;
    turn.is_in(DISCOVERY, "roi");
    // 85 % of $9,000 less $3,500 × 105 %.
    turn.found(r#""estimated_monthly_savings":{"low":3975.0,"high":3975.0}"#);
    let why = call("summarise_decision", json!({ "about": "figures" }));
    let turn = talk
        .turn("Why 85 percent?", [why, say("Its maker says so.")])
        .await;
    turn.is_in(ROI, "roi");
    turn.found("100 % × 100 % × 85 % × 100 %");

    let choice = json!({ "add": ["Avidbots Neo 2W"], "stakeholders": ["The depot manager"] });
    let script = [call("update_shortlist", choice), say("Done.")];
    let turn = talk.turn("Put it on the list", script).await;
    turn.is_in(ROI, "selection");
    for (topic, part) in [
        ("options", "Avidbots Neo 2W"),
        ("next_steps", "business case"),
    ] {
        let sum = call("summarise_decision", json!({ "about": topic }));
        let turn = talk.turn("Sum it up", [sum, say("Here it is.")]).await;
        turn.is_in(SELECTION, "selection");
        turn.found(part);
    }
    let back = [call("set_phase", json!({})), say("Back to the figures.")];
    let turn = talk.turn("Go back", back).await;
    turn.is_in(SELECTION, "roi");
}
