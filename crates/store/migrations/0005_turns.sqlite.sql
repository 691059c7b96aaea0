-- Turns that ended long ago are told as one snapshot.
ALTER TABLE turns ADD COLUMN folded INTEGER NOT NULL DEFAULT 0;
CREATE INDEX idx_turns_to_fold ON turns(ended_at) WHERE ended_at IS NOT NULL AND folded = 0;
