/** Descriptions of tools and hints of fields; the English ones come from the server. */
const hints: Record<string, string> = {
  "about.create_requirement_profile":
    "Laver kravprofilen ud fra noterne fra opstartsmødet. Den er et udkast, til du bekræfter den.",
  "about.confirm_requirement_profile":
    "Bekræfter kravprofilen. De andre dokumenter bygger på den; beslutningen tages på et kort.",
  "about.create_job_ad":
    "Skriver jobopslaget ud fra profilen og godkendte fakta om virksomheden. Kræver en bekræftet kravprofil.",
  "about.revise_document": "Ændrer et dokument, som du beder om; det bliver en ny version.",
  "about.create_ta_screening_template":
    "Skabelon til rekrutterens første samtale: motivation, spørgsmål pr. kompetence, praktisk. Kræver en bekræftet kravprofil.",
  "about.create_hm_screening_template":
    "Skabelon til lederens interview: dybere spørgsmål, situationer fra arbejdet, hvad kandidaten skal vide. Kræver en bekræftet kravprofil.",
  "about.create_headhunting_messages":
    "Tre beskeder til LinkedIn: kort, hvad rollen tilbyder, invitation til en snak. Kræver en bekræftet kravprofil.",
  "about.create_candidate_report":
    "Rapport ud fra en interviewudskrift: kandidatens egne ord om hver kompetence og en foreslået vurdering. Du beslutter. Kræver kravprofil og TA-skabelon.",
  "about.compare_candidates":
    "Sammenligner alle projektets kandidater i en tabel med initialer. Kræver mindst to rapporter.",
  "about.create_funnel_report":
    "Tragtrapport ud fra tal fra Jobylon og LinkedIn: konvertering, største fald, flaskehalse.",
  "about.review_job_ad":
    "Gennemgår et opslag: hvad der kan blive bedre, med citater og forslag. Uden tekst tages projektets eget.",
  "about.review_di_compliance":
    "Tjekker et opslag for inkluderende sprog: citater, grunde og alternativer. Uden tekst tages projektets eget.",
  "about.create_calendar_invite":
    "Teksten til en interviewinvitation, på Teams eller på stedet, med Jobylon-link eller fast tid.",
  "about.add_company_fact":
    "Foreslår en ny oplysning om virksomheden. Den bruges først, når den er godkendt på et kort.",
  "hint.instruction": "Hvad der skal ændres, med dine ord.",
  "hint.startup_notes": "Noterne fra opstartsmødet, præcis som de er.",
  "hint.recruiter_input": "Det, noterne mangler, med dine egne ord.",
  "hint.old_job_ad": "Tidligere opslag, hvis der er et.",
  "hint.language": "Projektets sprog, hvis intet angives.",
  "hint.include_salary": "Kun hvis lønnen står i noterne.",
  "hint.additional_areas": "Mere at spørge om, med dine ord.",
  "hint.skills_to_include": "Kun disse kompetencer fra profilen; alle skal-krav, hvis det er tomt.",
  "hint.candidate_profile": "LinkedIn-profilen som tekst; én detalje bruges.",
  "hint.interview_date": "Interviewets dato.",
  "hint.transcript": "Udskriften fra Teams, præcis som den er.",
  "hint.format": "Hvordan den stilles op: til Word, som tragt i tekst, som slides eller som tabel.",
  "hint.time_in_stage": 'Gennemsnitlige dage i et trin, for eksempel {"hm_interviews": 12}.',
  "hint.time_to_fill": "Dage fra opslået stilling til accepteret tilbud.",
  "hint.job_ad_text": "Hele opslaget; projektets seneste, hvis det er tomt.",
  "hint.agenda": "Punkter på dagsordenen, ét pr. linje.",
  "hint.city": "Nødvendig på stedet: stockholm, copenhagen eller oslo.",
  "hint.duration": "Minutter, som regel 60 eller 90.",
  "hint.interview_time": "Tid i 24-timersform, for eksempel 13:30.",
  "hint.recruiter_name": "Dit navn bruges, hvis intet angives.",
  "hint.sentence": "Én oplysning som én sætning, som den kan stå i et opslag.",
};

export default hints;
