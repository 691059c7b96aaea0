-- A message is by the person who opened the first turn with it.
CREATE INDEX idx_turns_user_message_id ON turns(user_message_id, started_at);
-- What was decided lately.
CREATE INDEX idx_approvals_decided ON approvals(decided_at) WHERE decision IS NOT NULL;
