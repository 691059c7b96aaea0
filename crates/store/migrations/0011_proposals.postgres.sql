-- The card as it was approved, where the requester changed its arguments; `card` stays what was asked.
ALTER TABLE approvals ADD COLUMN approved_card json;
-- Requesters alone may change what they confirm, and only when they approve it.
ALTER POLICY approvals_update ON approvals
    WITH CHECK ((decided_by = (SELECT fd.profile()) OR (decision = 'expired' AND decided_by IS NULL))
        AND (approved_card IS NULL OR (requested_by = (SELECT fd.profile()) AND decision = 'approved')));
DO $grants$
BEGIN
    EXECUTE format('GRANT UPDATE (approved_card) ON approvals TO %I', fd.app_role());
END
$grants$;
