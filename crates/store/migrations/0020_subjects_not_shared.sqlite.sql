-- A conversation about a subject is its own person's: whoever reads a link need not be allowed to see the subject.
DELETE FROM conversation_shares WHERE conversation_id IN (SELECT id FROM conversations WHERE subject IS NOT NULL);
