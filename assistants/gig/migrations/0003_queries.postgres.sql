-- Scores, places and recommendations are computed from the other columns whenever a gig is loaded.
ALTER TABLE gig_responses
    DROP COLUMN composite_score, DROP COLUMN price_score, DROP COLUMN delivery_score, DROP COLUMN skills_match_score,
    DROP COLUMN ranking_position, DROP COLUMN ranking_analysis, DROP COLUMN candidate_summary, DROP COLUMN strengths,
    DROP COLUMN weaknesses, DROP COLUMN recommendation, DROP COLUMN ranked_at;
-- Responses are counted where they are shown.
ALTER TABLE gigs DROP COLUMN responses, DROP COLUMN new_responses;

-- The design's enum of messages. Its indexes are built after the migrations.
CREATE TYPE gig_chat_message_role AS ENUM ('user', 'assistant');
DROP VIEW gig_chat_messages;
CREATE VIEW gig_chat_messages WITH (security_invoker = true) AS
    SELECT m.id, m.conversation_id AS session_id, m.role::text::gig_chat_message_role AS role, m.content,
        m.metadata -> 'quick_replies' AS quick_replies,
        jsonb_strip_nulls(jsonb_build_object('tokensUsed', m.metadata -> 'tokens_used',
            'latencyMs', m.metadata -> 'latency_ms',
            'candidatesMentioned', m.metadata -> 'candidatesMentioned')) AS metadata,
        m.created_at
    FROM messages m JOIN gig_chat_sessions s ON s.id = m.conversation_id
    WHERE m.part = 'said' AND m.role IN ('user', 'assistant');
SELECT fd.grant_to_app('SELECT', 'gig_chat_messages');
