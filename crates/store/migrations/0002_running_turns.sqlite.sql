-- How many turns of a person are open.
CREATE INDEX idx_turns_in_flight ON turns(profile_id)
    WHERE state IN ('running', 'awaiting_approval');
