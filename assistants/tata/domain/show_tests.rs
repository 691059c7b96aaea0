use super::document::diff;
use super::language::Language;
use super::print::Printed;
use super::test_desk::*;
use super::*;

#[test]
fn show() {
    let mut out = String::new();
    for language in Language::ALL {
        let name = match language { Language::En => "01_bullets_en", Language::Sv => "05_swedish_bullets", Language::Da => "07_danish", Language::No => "08_norwegian", Language::De => "09_german" };
        let d = desk(language);
        let p = requirement_profile::process(&profile_input(name), &d).unwrap();
        out += &format!("\n===== {language} PROFILE {:#?}\n{}", p.warnings, p.artifact.document(library()).to_markdown());
        let profile = p.artifact.confirm(&d);
        for tone in [job_ad::Tone::Friendly, job_ad::Tone::Formal] {
            let ad = job_ad::process(&job_ad::JobAdInput { tone: Some(tone), include_salary: Some(true), ..Default::default() }, &profile, &d).unwrap();
            out += &format!("\n===== {language} AD {:#?}\n{}", ad.warnings, ad.artifact.document(library()).to_text());
            let text = ad.artifact.document(library()).to_text();
            let review = job_ad_review::process(&job_ad_review::JobAdReviewInput { job_ad_text: text.clone(), ..Default::default() }, &d).unwrap();
            out += &format!("\n===== {language} REVIEW OF OWN AD {:#?}\n{}", review.warnings, review.artifact.document(library()).to_text());
            let di = di_review::process(&di_review::DiReviewInput { job_ad_text: text, ..Default::default() }, &d).unwrap();
            out += &format!("\n===== {language} DI OF OWN AD {:#?}\n{}", di.warnings, di.artifact.document(library()).to_text());
        }
        let ta = ta_screening::process(&screening::ScreeningInput { include_good_to_haves: true, include_role_intro: true, ..Default::default() }, &profile, &d).unwrap();
        out += &format!("\n===== {language} TA {:#?}\n{}", ta.warnings, ta.artifact.document(library()).to_text());
        let h = headhunting::process(&headhunting::HeadhuntingInput { candidate_profile: Some("Anna Berg\nNetwork Engineer at Telia\nStockholm".into()), ..Default::default() }, &profile, &d).unwrap();
        out += &format!("\n===== {language} OUTREACH {:#?}\n{}", h.warnings, h.artifact.document(library()).to_text());
        let f = funnel_report::process(&funnel_report::FunnelReportInput { job_title: profile.position_title.clone(), number_of_positions: 1, hiring_manager_name: "Anna".into(), job_ad_views: Some(1000), apply_clicks: Some(100), applications_received: Some(60), qualified_applications: Some(12), ta_screenings: Some(8), hm_interviews: Some(4), offers_made: Some(1), offers_accepted: Some(1), candidates_sourced: Some(50), candidates_contacted: Some(30), candidates_replied: Some(5), time_in_stage: [("hm_interviews".to_string(), 16.0), ("ta_screenings".to_string(), 9.5)].into(), ..Default::default() }, &Default::default(), &d).unwrap();
        out += &format!("\n===== {language} FUNNEL {:#?}\n{}", f.warnings, f.artifact.document(library()).to_text());
        let c = calendar_invite::process(&calendar_invite::CalendarInviteInput { position_name: profile.position_title.clone(), hiring_manager_name: "Lars Holm".into(), hiring_manager_title: "Head of Networks".into(), recruiter_name: None, location_type: calendar_invite::LocationType::Onsite, interview_type: calendar_invite::InterviewType::HiringManager, duration: 60, booking_method: calendar_invite::BookingMethod::Manual, city: Some("stockholm".into()), interview_date: Some("2026-04-02".into()), interview_time: Some("13:30".into()), job_ad_link: None, additional_participants: vec![], agenda: Some("Intro\nCase".into()), language: None }, &d).unwrap();
        out += &format!("\n===== {language} INVITE {:#?}\n{}", c.warnings, c.artifact.document(library()).to_text());
        let transcript = fixture("transcripts/teams_en.txt");
        let r = candidate_report::process(&candidate_report::CandidateReportInput { transcript, candidate_name: "Sara Lind".into(), interview_date: "2026-03-10".into(), candidate_cv: None, language: None }, &profile, &ta.artifact, &d);
        if let Ok(r) = r { out += &format!("\n===== {language} REPORT {:#?}\n{}", r.warnings, r.artifact.document(library()).to_text()); }
    }
    let _ = diff::diff_text("a\n", "b\n");
    std::fs::write("/tmp/show.txt", out).unwrap();
}
