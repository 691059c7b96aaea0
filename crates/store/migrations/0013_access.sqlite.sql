-- Colleagues' conversations in a list. One about a subject is its person's alone.
CREATE INDEX idx_conversations_shared ON conversations(company_id, updated_at DESC, id DESC)
    WHERE subject IS NULL;
