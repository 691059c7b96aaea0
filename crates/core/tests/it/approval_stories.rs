//! Any order of the events that can happen to one approval request.

use frontdesk_core::approval::Decision;
use frontdesk_core::assistant::Limits;
use frontdesk_core::env::Env;
use frontdesk_core::event::Event;
use frontdesk_core::run::Cancel;
use proptest::prelude::*;
use serde_json::json;

use crate::kit::env::VirtualEnv;
use crate::kit::model::{call, calls, says};
use crate::kit::runtime::{Runtime, Workshop, ada, hanna};

/// An event between request and execution.
#[derive(Clone, Copy, Debug)]
enum Happens {
    AdminApproves,
    AdminRejects,
    RequesterApproves,
    MinutesPass,
    ArgumentsChange,
    StopIsPressed,
    SomebodyLooksForWork,
}

/// The expected result, computed without the engine.
#[derive(Debug, Default)]
struct Expected {
    decided: Option<Decision>,
    seconds: i64,
    changed: bool,
    stopped: bool,
    over: bool,
    ran: bool,
}

impl Expected {
    fn note(&mut self, happens: Happens) {
        if self.over {
            return;
        }
        let open = self.decided.is_none() && self.seconds <= 600;
        match happens {
            Happens::AdminApproves if open => self.decided = Some(Decision::Approved),
            Happens::AdminRejects if open => self.decided = Some(Decision::Rejected),
            Happens::AdminApproves | Happens::AdminRejects | Happens::RequesterApproves => {}
            Happens::MinutesPass => self.seconds += 181,
            Happens::ArgumentsChange => self.changed = true,
            Happens::StopIsPressed => self.stopped = true,
            Happens::SomebodyLooksForWork => {
                self.over = self.stopped || self.decided.is_some() || self.seconds > 600;
                self.ran = self.over
                    && self.decided == Some(Decision::Approved)
                    && !self.changed
                    && !self.stopped;
            }
        }
    }
}

fn change_arguments(runtime: &Runtime) {
    for entry in &mut runtime.store.state().turns[0].entries {
        if let Event::ModelReplied { calls, .. } = &mut entry.event
            && let Some(call) = calls.first_mut()
        {
            call.arguments = r#"{"ticket":"T-2"}"#.to_owned();
        }
    }
}

fn let_it_happen(runtime: &Runtime, happens: Happens) {
    match happens {
        Happens::AdminApproves => drop(runtime.decide(&ada(), "a", Decision::Approved)),
        Happens::AdminRejects => drop(runtime.decide(&ada(), "a", Decision::Rejected)),
        Happens::RequesterApproves => {
            runtime
                .decide(&hanna(), "a", Decision::Approved)
                .unwrap_err();
        }
        Happens::MinutesPass => runtime.let_pass(181),
        Happens::ArgumentsChange => change_arguments(runtime),
        Happens::StopIsPressed => drop(runtime.store.cancel(runtime.turn())),
        Happens::SomebodyLooksForWork => {
            if let Some(opened) = runtime.take_over() {
                let began = runtime.env.now();
                let run = runtime.run(opened, Cancel::default());
                runtime.env.block_on(run).unwrap();
                runtime.check_since(began);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// P9: exactly the call that was approved in time runs, once.
    // design: promises P9
    #[test]
    fn only_the_approved_call_runs_and_only_once(
        story in prop::collection::vec(prop::sample::select(vec![
            Happens::AdminApproves,
            Happens::AdminRejects,
            Happens::RequesterApproves,
            Happens::MinutesPass,
            Happens::ArgumentsChange,
            Happens::StopIsPressed,
            Happens::SomebodyLooksForWork,
        ]), 0..10),
    ) {
        thread_local! {
            static WORKSHOP: Workshop = Workshop::new(Limits::default());
        }
        let runtime = WORKSHOP.with(|workshop| workshop.runtime(VirtualEnv::new(), hanna()));
        let delete = calls([call("a", "delete_ticket", json!({ "ticket": "T-1" }))]);
        runtime.ask("Delete T-1", [delete, says("It is settled.")]);
        let mut expected = Expected::default();
        for happens in story {
            expected.note(happens);
            let_it_happen(&runtime, happens);
            prop_assert_eq!(runtime.lab.effects().len(), usize::from(expected.ran), "{:?}", expected);
            prop_assert_eq!(runtime.store.state().turns[0].state.is_over(), expected.over);
        }
    }
}
