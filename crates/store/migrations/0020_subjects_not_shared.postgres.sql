-- A conversation about a subject is its own person's: whoever reads a link need not be allowed to see the subject.
ALTER TABLE conversation_shares NO FORCE ROW LEVEL SECURITY;
ALTER TABLE conversations NO FORCE ROW LEVEL SECURITY;
DELETE FROM conversation_shares s USING conversations c WHERE c.id = s.conversation_id AND c.subject IS NOT NULL;
ALTER TABLE conversations FORCE ROW LEVEL SECURITY;
ALTER TABLE conversation_shares FORCE ROW LEVEL SECURITY;

ALTER POLICY conversation_shares_insert ON conversation_shares WITH CHECK (created_by = (SELECT fd.profile())
    AND EXISTS (SELECT 1 FROM conversations c WHERE c.id = conversation_shares.conversation_id
        AND c.scope_id = conversation_shares.scope_id AND c.user_id = conversation_shares.created_by
        AND c.subject IS NULL));
