/** Descriptions of tools and hints of fields; the English ones come from the server. */
const hints: Record<string, string> = {
  "about.create_requirement_profile":
    "Lager kravprofilen ut fra notatene fra oppstartsmøtet. Den er et utkast til du bekrefter den.",
  "about.confirm_requirement_profile":
    "Bekrefter kravprofilen. De andre dokumentene bygger på den; beslutningen tas på et kort.",
  "about.create_job_ad":
    "Skriver stillingsannonsen ut fra profilen og godkjente fakta om selskapet. Krever en bekreftet kravprofil.",
  "about.revise_document": "Endrer et dokument slik du ber om; det blir en ny versjon.",
  "about.create_ta_screening_template":
    "Mal for rekruttererens første samtale: motivasjon, spørsmål per ferdighet, praktisk. Krever en bekreftet kravprofil.",
  "about.create_hm_screening_template":
    "Mal for lederens intervju: dypere spørsmål, situasjoner fra arbeidet, hva kandidaten skal få vite. Krever en bekreftet kravprofil.",
  "about.create_headhunting_messages":
    "Tre meldinger for LinkedIn: kort, hva rollen tilbyr, invitasjon til en prat. Krever en bekreftet kravprofil.",
  "about.create_candidate_report":
    "Rapport fra en intervjuutskrift: kandidatens egne ord om hver ferdighet og en foreslått vurdering. Du bestemmer. Krever kravprofil og TA-mal.",
  "about.compare_candidates":
    "Sammenligner alle prosjektets kandidater i en tabell med initialer. Krever minst to rapporter.",
  "about.create_funnel_report":
    "Traktrapport fra tall fra Jobylon og LinkedIn: konvertering, største fall, flaskehalser.",
  "about.review_job_ad":
    "Går gjennom en annonse: hva som kan bli bedre, med sitater og forslag. Uten tekst tas prosjektets egen.",
  "about.review_di_compliance":
    "Sjekker en annonse for inkluderende språk: sitater, grunner og alternativer. Uten tekst tas prosjektets egen.",
  "about.create_calendar_invite":
    "Teksten til en intervjuinvitasjon, på Teams eller på stedet, med Jobylon-lenke eller fast tid.",
  "about.add_company_fact":
    "Foreslår en ny opplysning om selskapet. Den brukes først når den er godkjent på et kort.",
  "hint.instruction": "Hva som skal endres, med dine ord.",
  "hint.startup_notes": "Notatene fra oppstartsmøtet, nøyaktig som de er.",
  "hint.recruiter_input": "Det notatene mangler, med dine egne ord.",
  "hint.old_job_ad": "Tidligere annonse, hvis det finnes en.",
  "hint.language": "Prosjektets språk hvis ingenting oppgis.",
  "hint.include_salary": "Bare hvis lønnen står i notatene.",
  "hint.additional_areas": "Mer å spørre om, med dine ord.",
  "hint.skills_to_include": "Bare disse ferdighetene fra profilen; alle må-krav hvis det er tomt.",
  "hint.candidate_profile": "LinkedIn-profilen som tekst; én detalj brukes.",
  "hint.interview_date": "Intervjuets dato.",
  "hint.transcript": "Utskriften fra Teams, nøyaktig som den er.",
  "hint.format": "Hvordan den settes opp: for Word, som trakt i tekst, som lysbilder eller som tabell.",
  "hint.time_in_stage": 'Gjennomsnittlige dager i et trinn, for eksempel {"hm_interviews": 12}.',
  "hint.time_to_fill": "Dager fra åpnet stilling til akseptert tilbud.",
  "hint.job_ad_text": "Hele annonsen; prosjektets siste hvis det er tomt.",
  "hint.agenda": "Punkter på agendaen, ett per linje.",
  "hint.city": "Trengs på stedet: stockholm, copenhagen eller oslo.",
  "hint.duration": "Minutter, vanligvis 60 eller 90.",
  "hint.interview_time": "Tid i 24-timersform, for eksempel 13:30.",
  "hint.recruiter_name": "Navnet ditt brukes hvis ingenting oppgis.",
  "hint.sentence": "Én opplysning som én setning, slik den kan stå i en annonse.",
};

export default hints;
