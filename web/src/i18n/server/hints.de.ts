/** Descriptions of tools and hints of fields; the English ones come from the server. */
const hints: Record<string, string> = {
  "about.create_requirement_profile":
    "Erstellt das Anforderungsprofil aus den Notizen vom Startgespräch. Es bleibt ein Entwurf, bis Sie es bestätigen.",
  "about.confirm_requirement_profile":
    "Bestätigt das Anforderungsprofil. Die anderen Dokumente bauen darauf auf; entschieden wird auf einer Karte.",
  "about.create_job_ad":
    "Schreibt die Stellenanzeige aus dem Profil und freigegebenen Fakten über das Unternehmen. Braucht ein bestätigtes Profil.",
  "about.revise_document": "Ändert ein Dokument so, wie Sie es wünschen; daraus wird eine neue Version.",
  "about.create_ta_screening_template":
    "Leitfaden für das erste Gespräch: Motivation, Fragen je Fähigkeit, Praktisches. Braucht ein bestätigtes Profil.",
  "about.create_hm_screening_template":
    "Leitfaden für das Gespräch der Führungskraft: tiefere Fragen, Situationen aus der Arbeit, was der Kandidat wissen muss. Braucht ein bestätigtes Profil.",
  "about.create_headhunting_messages":
    "Drei Nachrichten für LinkedIn: kurz, was die Stelle bietet, Einladung zum Gespräch. Braucht ein bestätigtes Profil.",
  "about.create_candidate_report":
    "Bericht aus einer Gesprächsmitschrift: eigene Worte zu jeder Fähigkeit und eine vorgeschlagene Bewertung. Sie entscheiden. Braucht Profil und TA-Vorlage.",
  "about.compare_candidates":
    "Vergleicht alle Bewerber des Projekts in einer Tabelle mit Initialen. Braucht mindestens zwei Berichte.",
  "about.create_funnel_report":
    "Trichterbericht aus Zahlen von Jobylon und LinkedIn: Übergänge, größte Verluste, Engpässe.",
  "about.review_job_ad":
    "Prüft eine Anzeige: was besser werden kann, mit Zitaten und Vorschlägen. Ohne Text wird die des Projekts genommen.",
  "about.review_di_compliance":
    "Prüft eine Anzeige auf inklusive Sprache: Zitate, Gründe und Alternativen. Ohne Text wird die des Projekts genommen.",
  "about.create_calendar_invite":
    "Der Text einer Einladung zum Gespräch, auf Teams oder vor Ort, mit Jobylon-Link oder fester Zeit.",
  "about.add_company_fact":
    "Schlägt eine neue Angabe über das Unternehmen vor. Sie wird erst verwendet, wenn sie auf einer Karte freigegeben ist.",
  "hint.instruction": "Was geändert werden soll, in Ihren Worten.",
  "hint.startup_notes": "Die Notizen vom Startgespräch, genau wie sie sind.",
  "hint.recruiter_input": "Was in den Notizen fehlt, in Ihren eigenen Worten.",
  "hint.old_job_ad": "Eine frühere Anzeige, falls es eine gibt.",
  "hint.language": "Ohne Angabe die Sprache des Projekts.",
  "hint.include_salary": "Nur wenn das Gehalt in den Notizen steht.",
  "hint.additional_areas": "Wonach noch gefragt werden soll, in Ihren Worten.",
  "hint.skills_to_include": "Nur diese Fähigkeiten des Profils; leer: alle Muss-Kriterien.",
  "hint.candidate_profile": "Das LinkedIn-Profil als Text; eine Einzelheit wird verwendet.",
  "hint.interview_date": "Das Datum des Gesprächs.",
  "hint.transcript": "Die Mitschrift aus Teams, genau wie sie ist.",
  "hint.format": "Wie er aussieht: für Word, als Trichter im Text, als Folien oder als Tabelle.",
  "hint.time_in_stage": 'Durchschnittliche Tage in einer Stufe, zum Beispiel {"hm_interviews": 12}.',
  "hint.time_to_fill": "Tage von der Öffnung der Stelle bis zum angenommenen Angebot.",
  "hint.job_ad_text": "Die ganze Anzeige; leer: die neueste des Projekts.",
  "hint.agenda": "Punkte der Agenda, einer je Zeile.",
  "hint.city": "Vor Ort nötig: stockholm, copenhagen oder oslo.",
  "hint.duration": "Minuten, meist 60 oder 90.",
  "hint.interview_time": "Uhrzeit in 24 Stunden, zum Beispiel 13:30.",
  "hint.recruiter_name": "Ohne Angabe wird Ihr Name verwendet.",
  "hint.sentence": "Eine Angabe als ein Satz, wie sie in einer Anzeige stehen kann.",
};

export default hints;
