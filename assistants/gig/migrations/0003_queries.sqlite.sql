-- Scores, places and recommendations are computed from the other columns whenever a gig is loaded.
ALTER TABLE gig_responses DROP COLUMN composite_score;
ALTER TABLE gig_responses DROP COLUMN price_score;
ALTER TABLE gig_responses DROP COLUMN delivery_score;
ALTER TABLE gig_responses DROP COLUMN skills_match_score;
ALTER TABLE gig_responses DROP COLUMN ranking_position;
ALTER TABLE gig_responses DROP COLUMN ranking_analysis;
ALTER TABLE gig_responses DROP COLUMN candidate_summary;
ALTER TABLE gig_responses DROP COLUMN strengths;
ALTER TABLE gig_responses DROP COLUMN weaknesses;
ALTER TABLE gig_responses DROP COLUMN recommendation;
ALTER TABLE gig_responses DROP COLUMN ranked_at;
-- Responses are counted where they are shown.
ALTER TABLE gigs DROP COLUMN responses;
ALTER TABLE gigs DROP COLUMN new_responses;

-- The design's indexes of messages.
CREATE INDEX gig_chat_message_session_idx ON messages(conversation_id) WHERE part = 'said';
CREATE INDEX gig_chat_message_session_created_idx ON messages(conversation_id, created_at) WHERE part = 'said';
