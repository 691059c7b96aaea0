CREATE TABLE tata_facts (scope_id uuid NOT NULL, language text NOT NULL, sentence text NOT NULL, approved_by uuid NOT NULL, at timestamptz NOT NULL, PRIMARY KEY (scope_id, language, sentence));
                   ALTER TABLE tata_facts ENABLE ROW LEVEL SECURITY;
                   ALTER TABLE tata_facts FORCE ROW LEVEL SECURITY;
                   CREATE POLICY tata_facts_select ON tata_facts FOR SELECT USING (scope_id IN (SELECT fd.scopes()));
                   CREATE POLICY tata_facts_insert ON tata_facts FOR INSERT WITH CHECK (
                       scope_id IN (SELECT fd.scopes()) AND approved_by = (SELECT fd.profile()));
                   CREATE POLICY tata_facts_update ON tata_facts FOR UPDATE USING (false) WITH CHECK (false);
                   CREATE POLICY tata_facts_delete ON tata_facts FOR DELETE USING (false);
                   SELECT fd.grant_to_app('SELECT, INSERT', 'tata_facts');