-- Messages that were set aside for another version are not shown.
DROP VIEW gig_chat_messages;
CREATE VIEW gig_chat_messages AS
    SELECT m.id, m.conversation_id AS session_id, m.role, m.content,
        json_extract(m.metadata, '$.quick_replies') AS quick_replies,
        json_object('tokensUsed', json_extract(m.metadata, '$.tokens_used'),
            'latencyMs', json_extract(m.metadata, '$.latency_ms'),
            'candidatesMentioned', json_extract(m.metadata, '$.candidatesMentioned')) AS metadata,
        m.created_at
    FROM messages m JOIN gig_chat_sessions s ON s.id = m.conversation_id
    WHERE m.part = 'said' AND m.aside IS NULL AND m.role IN ('user', 'assistant');
