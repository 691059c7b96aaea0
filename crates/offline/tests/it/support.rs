//! Tools of every kind, and a conversation with the model.

use std::sync::Arc;

use bytes::Bytes;
use frontdesk_core::access::Role;
use frontdesk_core::message::{Message, ToolCall};
use frontdesk_core::model::{Ask, DeltaSink, Model, ModelSettings, Prompt, Reply};
use frontdesk_core::phase::Phase;
use frontdesk_core::tool::{ToolDef, ToolSpec};
use frontdesk_core::toolbox::{Bar, Elsewhere, Offer};
use frontdesk_offline::OfflineModel;
use serde_json::{Value, json};

pub(super) fn tool(name: &str, parameters: Value, spec: ToolSpec) -> ToolDef {
    ToolDef {
        name: name.to_owned().into(),
        parameters,
        spec,
    }
}

pub(super) fn object(properties: Value, required: &[&str]) -> Value {
    json!({ "type": "object", "properties": properties, "required": required })
}

fn number() -> Value {
    json!({ "type": "string", "pattern": "^LN-\\d{4}$", "description": "Number of the loan" })
}

fn lend() -> ToolDef {
    let properties = json!({
        "borrower": { "type": "string", "description": "Name of the borrower" },
        "purpose": { "type": "string", "description": "Purpose of the loan" },
        "returns": { "type": "boolean", "description": "Whether it comes back" },
    });
    let spec = ToolSpec::idempotent("Lend something to a person.")
        .title("Lend an item")
        .example(
            "lend the camera to Ann Lee, she films a wedding, it comes back",
            json!({ "borrower": "Ann Lee", "purpose": "films a wedding", "returns": true }),
        );
    tool(
        "lend_item",
        object(properties, &["borrower", "purpose", "returns"]),
        spec,
    )
}

fn cancel() -> ToolDef {
    let spec = ToolSpec::at_most_once("Cancel a loan.")
        .title("Cancel a loan")
        .target("number");
    tool(
        "cancel_loan",
        object(json!({ "number": number() }), &["number"]),
        spec,
    )
}

fn show() -> ToolDef {
    let spec = ToolSpec::read("Show one loan.").title("Show a loan");
    tool(
        "show_loan",
        object(json!({ "number": number() }), &["number"]),
        spec,
    )
}

fn list() -> ToolDef {
    let properties = json!({
        "state": { "type": "string", "enum": ["open", "returned", "lost"] },
        "max_days": { "type": "integer", "minimum": 1, "description": "At most this many days" },
    });
    let spec = ToolSpec::read("List loans.").title("List loans");
    tool("list_loans", object(properties, &[]), spec)
}

fn check() -> ToolDef {
    let properties = json!({
        "text": { "type": "string", "x-handle": "text", "description": "The advert" },
    });
    let spec = ToolSpec::read("Check an advert for biased wording.").title("Check an advert");
    tool("check_advert", object(properties, &["text"]), spec)
}

fn note() -> ToolDef {
    let spec = ToolSpec::transactional("Note what the person said about their shop.")
        .title("Note a fact")
        .gets_user_text()
        .undoable();
    tool("note_facts", object(json!({}), &[]), spec)
}

fn report() -> ToolDef {
    let properties = json!({
        "time_to_fill": { "type": ["number", "null"], "description": "Days until a shelf is filled." },
    });
    let spec =
        ToolSpec::idempotent("Make the report of the shelves.").title("Make the shelf report");
    tool("shelf_report", object(properties, &[]), spec)
}

pub(super) fn move_on() -> ToolDef {
    let properties = json!({ "phase": { "type": "string", "enum": ["stock", "sales"] } });
    let spec = ToolSpec::transactional("Go to another phase.")
        .title("Change the phase")
        .undoable()
        .example("go on to sales", json!({ "phase": "sales" }));
    tool("set_phase", object(properties, &["phase"]), spec)
}

const PHRASINGS: &str = "
[lend_item]
lend something to somebody
I want to lend an item
lend the drill to Tom Berg, he builds a shelf
please lend a ladder to our neighbour Eva Holm
make a loan for Jan Novak
a new loan please
can you lend the tent to Mia Falk
[lend_item: returns=true]
it comes back next week
she brings it back
he returns it tomorrow
they will bring it back
lend the saw to Kim Ek and it comes back
[lend_item: returns=false]
no return
it does not come back
he keeps it
not coming back
lend the saw to Kim Ek for good
[cancel_loan]
cancel the loan LN-0004
please cancel LN-0010
cancel a loan
call off the loan LN-0009
[show_loan]
show loan LN-0004
show me LN-0010
what is LN-0008 about
show it
[list_loans]
list the loans
which loans are there
show all loans
show the lost ones
which loans are open
[list_loans: state=lost]
what vanished yesterday
which ones vanished
[check_advert]
check this advert for biased wording
is this advert biased
look for biased wording in this text
review the wording of my advert
[note_facts]
we spend 12,000 a month on cleaning
our shop has 300 square metres
we have four employees
we open at nine
the rent is 2,000 a month
[shelf_report]
make the shelf report
shelf report with time to fill 20 days
write the report of the shelves
the time to fill was 12 days, make the report
[audit_stock]
audit the stock
do an audit of everything in stock
start the stock audit
[sell_item]
sell the drill
sell an item to a customer
put the ladder up for sale
[set_phase: phase=sales]
go on to sales
let us move to sales
[set_phase: phase=stock]
go back to stock
[nothing]
thanks
what is the weather like
by the way Tom is on leave
I will think about it
tell me a joke
";

/// All tools but the audit, which needs another role, and sales, which belong to another phase.
pub(super) fn offer() -> Offer {
    let tools = vec![
        lend(),
        cancel(),
        show(),
        list(),
        check(),
        note(),
        report(),
        move_on(),
    ];
    let audit = ToolSpec::read("Audit the stock.")
        .title("Audit the stock")
        .roles([Role::HR_USER]);
    let sell = ToolSpec::idempotent("Sell an item.")
        .title("Sell an item")
        .phases([Phase::named("sales")]);
    let elsewhere = vec![
        Elsewhere {
            tool: tool("audit_stock", object(json!({}), &[]), audit),
            bar: Bar::Role,
        },
        Elsewhere {
            tool: tool("sell_item", object(json!({}), &[]), sell),
            bar: Bar::Phase,
        },
    ];
    offer_of(tools, elsewhere, PHRASINGS)
}

pub(super) fn offer_of(tools: Vec<ToolDef>, elsewhere: Vec<Elsewhere>, phrasings: &str) -> Offer {
    let json: Vec<Value> = tools.iter().map(ToolDef::to_openai_format).collect();
    Offer {
        json: Bytes::from(Value::Array(json).to_string()),
        tools,
        elsewhere,
        phrasings: Arc::from(phrasings),
    }
}

struct Ignore;

impl DeltaSink for Ignore {
    fn text(&mut self, _: &str) {}
}

/// A conversation whose calls all return `result`.
pub(super) struct Chat {
    pub(super) offer: Offer,
    pub(super) model: OfflineModel,
    history: Vec<Message>,
    pub(super) result: String,
}

impl Chat {
    pub(super) fn new() -> Self {
        Self::with(offer())
    }

    pub(super) fn with(offer: Offer) -> Self {
        Self {
            offer,
            model: OfflineModel::default(),
            history: Vec::new(),
            result: "{}".to_owned(),
        }
    }

    /// The first reply to a message; also answers its calls and ends the turn.
    pub(super) fn say(&mut self, text: &str) -> Reply {
        self.history.push(Message::user(text));
        let first = self.reply();
        if first.calls.is_empty() {
            self.history.push(Message::assistant(first.text.clone()));
            return first;
        }
        self.history.push(Message::calls(None, first.calls.clone()));
        for call in &first.calls {
            self.history
                .push(Message::tool(&call.id, &call.name, self.result.clone()));
        }
        let reply = self.reply();
        assert!(reply.calls.is_empty(), "{reply:?}");
        assert!(!reply.text.trim().is_empty());
        self.history.push(Message::assistant(reply.text));
        first
    }

    /// The first reply to a message that is then removed from the conversation.
    pub(super) fn ask(&mut self, text: &str) -> Reply {
        self.history.push(Message::user(text));
        let reply = self.reply();
        self.history.pop();
        reply
    }

    fn reply(&self) -> Reply {
        let wires = self
            .history
            .iter()
            .map(|message| message.to_openai_format().to_string());
        let history = wires.collect::<Vec<_>>().join(",");
        let settings = ModelSettings {
            model: "offline".to_owned(),
            temperature: None,
            max_tokens: None,
        };
        let system = Bytes::new();
        let empty = Bytes::new();
        let ask = Ask {
            assistant: "test",
            prompt: Prompt {
                system: &system,
                history: &empty,
                tail: history.as_bytes(),
            },
            offer: &self.offer,
            settings: &settings,
            reply_schema: None,
            summaries: &[],
        };
        let runtime = tokio::runtime::Builder::new_current_thread()
            .build()
            .unwrap();
        runtime
            .block_on(self.model.reply(ask, &mut Ignore))
            .unwrap()
    }
}

pub(super) fn only_call(reply: &Reply) -> (String, Value) {
    let [
        ToolCall {
            name, arguments, ..
        },
    ] = reply.calls.as_slice()
    else {
        panic!("{reply:?}");
    };
    (name.clone(), serde_json::from_str(arguments).unwrap())
}
