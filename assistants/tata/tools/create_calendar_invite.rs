//! The text of an interview invitation.

use std::sync::Arc;

use frontdesk_core::tool::{Tool, ToolContext, ToolError, ToolSpec};
use serde_json::json;

use super::spec_of;
use crate::tata::domain::calendar_invite::{self, CalendarInviteInput};
use crate::tata::domain::module::Module;
use crate::tata::workshop::{Made, Place, Workshop, keep, name_project, refused};

pub(super) struct CreateCalendarInvite(pub(super) Arc<Workshop>);

impl Tool for CreateCalendarInvite {
    const NAME: &'static str = Module::CalendarInvite.facts().tool;
    type Args = CalendarInviteInput;
    type Output = Made;

    fn spec() -> ToolSpec {
        spec_of(
            Module::CalendarInvite,
            "Write an interview invitation",
            "Write the text of an interview invitation, on Teams or on site, with a Jobylon booking link or a fixed date and time.",
        )
        .example(
            "Write an interview invitation for the position Sales Lead, hiring manager Eva Lind, Head of Sales, case interview on Teams, 90 minutes, booked with Jobylon",
            json!({ "position_name": "Sales Lead", "hiring_manager_name": "Eva Lind", "hiring_manager_title": "Head of Sales",
                    "interview_type": "case", "location_type": "teams", "duration": 90, "booking_method": "jobylon" }),
        )
        .example("Invite for a team interview at the office in Oslo, 60 minutes, role Data Analyst, hiring manager Nils Dahl, CTO, booked by Jobylon", json!({ "position_name": "Data Analyst", "hiring_manager_name": "Nils Dahl", "hiring_manager_title": "CTO", "interview_type": "team", "location_type": "onsite", "duration": 60, "booking_method": "jobylon", "city": "Oslo" }))
        .example("Interview invitation, hiring manager interview at the Stockholm office, 45 minutes, role Controller, hiring manager Eva Lind, CFO, we set the time ourselves: 2026-12-01 at 10:00", json!({ "position_name": "Controller", "hiring_manager_name": "Eva Lind", "hiring_manager_title": "CFO", "interview_type": "hiring_manager", "location_type": "onsite", "duration": 45, "booking_method": "manual", "city": "Stockholm", "interview_date": "2026-12-01", "interview_time": "10:00" }))
        .example("Invitation to a case interview on site in Copenhagen, 60 minutes, role Analyst, hiring manager Eva Lind, CFO, booked by Jobylon", json!({ "position_name": "Analyst", "hiring_manager_name": "Eva Lind", "hiring_manager_title": "CFO", "interview_type": "case", "location_type": "onsite", "duration": 60, "booking_method": "jobylon", "city": "Copenhagen" }))
        .example("Skriv en intervjuinbjudan för tjänsten Säljare, rekryterande chef Nils Dahl, Försäljningschef, case på Teams, 90 minuter, bokas via Jobylon", json!({ "position_name": "Säljare", "hiring_manager_name": "Nils Dahl", "hiring_manager_title": "Försäljningschef", "interview_type": "case", "location_type": "teams", "duration": 90, "booking_method": "jobylon" }))
        .example("Skriv en interviewinvitation for stillingen Sælger, ansættende leder Nils Dahl, Salgschef, case på Teams, 90 minutter, bookes via Jobylon", json!({ "position_name": "Sælger", "hiring_manager_name": "Nils Dahl", "hiring_manager_title": "Salgschef", "interview_type": "case", "location_type": "teams", "duration": 90, "booking_method": "jobylon" }))
        .example("Skriv en intervjuinvitasjon for stillingen Selger, ansettende leder Nils Dahl, Salgssjef, case på Teams, 90 minutter, bookes via Jobylon", json!({ "position_name": "Selger", "hiring_manager_name": "Nils Dahl", "hiring_manager_title": "Salgssjef", "interview_type": "case", "location_type": "teams", "duration": 90, "booking_method": "jobylon" }))
        .example("Schreibe eine Intervieweinladung für die Stelle Verkäufer, Führungskraft Nils Dahl, Vertriebsleiter, Case auf Teams, 90 Minuten, Buchung über Jobylon", json!({ "position_name": "Verkäufer", "hiring_manager_name": "Nils Dahl", "hiring_manager_title": "Vertriebsleiter", "interview_type": "case", "location_type": "teams", "duration": 90, "booking_method": "jobylon" }))
    }

    async fn call(&self, ctx: &ToolContext, args: CalendarInviteInput) -> Result<Made, ToolError> {
        let bench = self.0.open(ctx).await?;
        let produced = calendar_invite::process(&args, &bench.desk()).map_err(refused)?;
        name_project(ctx, &args.position_name, args.language);
        let place = Place::of(Module::CalendarInvite, args.interview_type.name());
        keep(ctx, &bench, &place, &produced)
    }

    fn summary(made: &Made) -> String {
        made.told.clone()
    }
}
