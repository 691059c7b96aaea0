-- What a turn is taken to use of a budget until it has ended, and the most that it may use.
ALTER TABLE turns ADD COLUMN reserved INTEGER NOT NULL DEFAULT 0;
ALTER TABLE turns ADD COLUMN allowance INTEGER;
DROP INDEX idx_turns_scope_id;
CREATE INDEX idx_turns_scope_id ON turns(scope_id) WHERE state IN ('running', 'awaiting_approval');
