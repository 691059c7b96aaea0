-- Messages that were set aside for another version are not shown.
CREATE OR REPLACE VIEW gig_chat_messages WITH (security_invoker = true) AS
    SELECT m.id, m.conversation_id AS session_id, m.role::text::gig_chat_message_role AS role, m.content,
        m.metadata -> 'quick_replies' AS quick_replies,
        jsonb_strip_nulls(jsonb_build_object('tokensUsed', m.metadata -> 'tokens_used',
            'latencyMs', m.metadata -> 'latency_ms',
            'candidatesMentioned', m.metadata -> 'candidatesMentioned')) AS metadata,
        m.created_at
    FROM messages m JOIN gig_chat_sessions s ON s.id = m.conversation_id
    WHERE m.part = 'said' AND m.aside IS NULL AND m.role IN ('user', 'assistant');
