-- The audit says in words who did what to which object, and whose decision it was. It outlives what it speaks of,
-- so the names are those of the moment. The unsalted hash of the arguments told nobody anything and could be guessed.
ALTER TABLE audit_log ADD COLUMN profile_name TEXT;
ALTER TABLE audit_log ADD COLUMN target TEXT;
ALTER TABLE audit_log ADD COLUMN approver_name TEXT;
ALTER TABLE audit_log DROP COLUMN arguments_hash;
ALTER TABLE approvals ADD COLUMN target TEXT;
