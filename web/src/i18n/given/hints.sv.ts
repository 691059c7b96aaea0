/** What a form is for and what its fields want; in English the server says it. */
const hints: Record<string, string> = {
  "about.create_requirement_profile":
    "Skapar tjänstens kravprofil ur anteckningarna från uppstartsmötet: exakt fyra skall-krav med källor, ansvar, meriterande, egenskaper, team. Den är ett utkast tills du bekräftar den.",
  "about.confirm_requirement_profile":
    "Bekräftar kravprofilen. De andra dokumenten bygger på den; beslutet tas på ett kort.",
  "about.create_job_ad":
    "Skriver jobbannonsen med alternativa rubriker och inledningar. Kräver en bekräftad kravprofil.",
  "about.polish_job_ad":
    "Föreslår bättre formuleringar för delar av den senaste annonsen. Fyll bara i det som ändras.",
  "about.create_ta_screening_template":
    "Samtalsmall för rekryteraren: motivation, frågor per färdighet, praktiskt. Kräver en bekräftad kravprofil.",
  "about.create_hm_screening_template":
    "Intervjumall för den rekryterande chefen, med plats för anteckningar. Kräver en bekräftad kravprofil.",
  "about.create_headhunting_messages":
    "Meddelanden för LinkedIn: tre slag på fem språk, under 100 ord. Kräver en bekräftad kravprofil.",
  "about.create_candidate_report":
    "Rapport ur en intervjuutskrift: betyg med exempel, motivation, risker, rekommendation. Kräver kravprofil och TA-mall.",
  "about.compare_candidates":
    "Jämför projektets alla kandidater i en tabell med initialer. Kräver minst två rapporter.",
  "about.create_funnel_report":
    "Trattrapport ur siffror från Jobylon och LinkedIn: konvertering, flaskhalsar, åtgärder och vem som gör dem.",
  "about.review_job_ad":
    "Granskar en annons: tolv delar, upprepningar, förbjudna ord, poäng och råd. Utan text tas projektets egen.",
  "about.review_di_compliance":
    "Kontrollerar en annons för inkluderande språk, med alternativ och poäng. Utan text tas projektets egen.",
  "about.create_calendar_invite":
    "Texten till en intervjuinbjudan, på Teams eller på plats, med Jobylon-länk eller fast tid.",
  "about.add_company_fact":
    "Föreslår ett nytt faktum om företaget. Det används först när det har godkänts på ett kort.",
  "hint.startup_notes": "Anteckningarna från uppstartsmötet, precis som de är.",
  "hint.recruiter_input": "Det som anteckningarna saknar, med dina egna ord.",
  "hint.old_job_ad": "Tidigare annons, om det finns en.",
  "hint.language": "Projektets språk om inget anges.",
  "hint.include_salary": "Bara om lönen står i anteckningarna.",
  "hint.translations": "Om språket är ett annat: samma krav och ansvar på det språket.",
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
  "hint.intro": "Högst två meningar.",
};

export default hints;
