-- Versions of a message: editing one, or asking for another answer, sets it and what followed aside. Lines that are
-- set aside have no `wire`, so that no transcript has them; `aside` names the version that they belong to.
ALTER TABLE messages ADD COLUMN version_of TEXT;
ALTER TABLE messages ADD COLUMN aside TEXT;
ALTER TABLE messages ADD COLUMN aside_wire TEXT;
DROP INDEX idx_messages_said;
CREATE INDEX idx_messages_said ON messages(conversation_id, seq) WHERE part = 'said' AND aside IS NULL;
CREATE INDEX idx_messages_version_of ON messages(conversation_id, version_of) WHERE version_of IS NOT NULL;
CREATE INDEX idx_messages_aside ON messages(conversation_id, aside) WHERE aside IS NOT NULL;
