-- The card as it was approved, where the requester changed its arguments; `card` stays what was asked.
ALTER TABLE approvals ADD COLUMN approved_card TEXT;
