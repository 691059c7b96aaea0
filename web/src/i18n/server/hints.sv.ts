/** Descriptions of tools and hints of fields; the English ones come from the server. */
const hints: Record<string, string> = {
  "about.create_requirement_profile":
    "Skapar kravprofilen ur anteckningarna från uppstartsmötet. Den är ett utkast tills du bekräftar den.",
  "about.confirm_requirement_profile":
    "Bekräftar kravprofilen. De andra dokumenten bygger på den; beslutet tas på ett kort.",
  "about.create_job_ad":
    "Skriver jobbannonsen ur profilen och godkända fakta om företaget. Kräver en bekräftad kravprofil.",
  "about.revise_document": "Ändrar ett dokument så som du ber om; det blir en ny version.",
  "about.create_ta_screening_template":
    "Mall för rekryterarens första samtal: motivation, frågor per färdighet, praktiskt. Kräver en bekräftad kravprofil.",
  "about.create_hm_screening_template":
    "Mall för chefens intervju: djupare frågor, situationer ur arbetet, vad kandidaten ska få veta. Kräver en bekräftad kravprofil.",
  "about.create_headhunting_messages":
    "Tre meddelanden för LinkedIn: kort, vad rollen erbjuder, inbjudan till samtal. Kräver en bekräftad kravprofil.",
  "about.create_candidate_report":
    "Rapport ur en intervjuutskrift: kandidatens egna ord om varje färdighet och ett föreslaget betyg. Du beslutar. Kräver kravprofil och TA-mall.",
  "about.compare_candidates":
    "Jämför projektets alla kandidater i en tabell med initialer. Kräver minst två rapporter.",
  "about.create_funnel_report":
    "Trattrapport ur siffror från Jobylon och LinkedIn: konvertering, största tapp, flaskhalsar.",
  "about.review_job_ad":
    "Granskar en annons: vad som kan bli bättre, med citat och förslag. Utan text tas projektets egen.",
  "about.review_di_compliance":
    "Kontrollerar en annons för inkluderande språk: citat, skäl och alternativ. Utan text tas projektets egen.",
  "about.create_calendar_invite":
    "Texten till en intervjuinbjudan, på Teams eller på plats, med Jobylon-länk eller fast tid.",
  "about.add_company_fact":
    "Föreslår ett nytt faktum om företaget. Det används först när det har godkänts på ett kort.",
  "hint.instruction": "Vad som ska ändras, med dina ord.",
  "hint.startup_notes": "Anteckningarna från uppstartsmötet, precis som de är.",
  "hint.recruiter_input": "Det som anteckningarna saknar, med dina egna ord.",
  "hint.old_job_ad": "Tidigare annons, om det finns en.",
  "hint.language": "Projektets språk om inget anges.",
  "hint.include_salary": "Bara om lönen står i anteckningarna.",
  "hint.additional_areas": "Mer att fråga om, med dina ord.",
  "hint.skills_to_include": "Bara dessa färdigheter ur profilen; alla skall-krav om det är tomt.",
  "hint.candidate_profile": "LinkedIn-profilen som text; en detalj används.",
  "hint.interview_date": "Intervjuns datum.",
  "hint.transcript": "Utskriften från Teams, precis som den är.",
  "hint.format": "Hur den läggs upp: för Word, som tratt i text, som bilder eller som tabell.",
  "hint.time_in_stage": 'Genomsnittliga dagar i ett steg, till exempel {"hm_interviews": 12}.',
  "hint.time_to_fill": "Dagar från öppnad tjänst till accepterat erbjudande.",
  "hint.job_ad_text": "Hela annonsen; projektets senaste om det är tomt.",
  "hint.agenda": "Punkter på agendan, en per rad.",
  "hint.city": "Behövs på plats: stockholm, copenhagen eller oslo.",
  "hint.duration": "Minuter, vanligen 60 eller 90.",
  "hint.interview_time": "Tid i 24-timmarsform, till exempel 13:30.",
  "hint.recruiter_name": "Ditt namn används om inget anges.",
  "hint.sentence": "Ett faktum som en mening, så som det kan stå i en annons.",
};

export default hints;
