-- For those who watch over the server: whether what was used was counted by the provider, and recent turns.
ALTER TABLE usage_days ADD COLUMN estimated_turns INTEGER NOT NULL DEFAULT 0;
CREATE INDEX idx_turns_started_at ON turns(started_at);
