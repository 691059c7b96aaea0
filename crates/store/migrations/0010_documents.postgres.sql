-- Who asked for a version of a document, or edited it; nothing for versions from before.
ALTER TABLE artifacts ADD COLUMN author json;

-- Erases what was said in a conversation, for its owner alone; documents stay. A turn that still runs keeps its row.
CREATE OR REPLACE FUNCTION fd.clear(conversation uuid) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF NOT EXISTS (SELECT 1 FROM conversations c WHERE c.id = conversation AND c.user_id = fd.profile()) THEN
        RAISE EXCEPTION 'only its owner clears a conversation' USING ERRCODE = 'insufficient_privilege';
    END IF;
    DELETE FROM messages m WHERE m.conversation_id = conversation;
    DELETE FROM texts t WHERE t.conversation_id = conversation;
    DELETE FROM attachments a WHERE a.conversation_id = conversation;
    DELETE FROM turns t WHERE t.conversation_id = conversation
        AND t.state NOT IN ('running', 'awaiting_approval');
    DELETE FROM approvals a WHERE a.turn_id IN (SELECT t.id FROM turns t WHERE t.conversation_id = conversation);
    DELETE FROM journal j WHERE j.turn_id IN (SELECT t.id FROM turns t WHERE t.conversation_id = conversation);
END
$$;

-- The keeper's functions touch no documents any more.
DROP POLICY keeper_removes ON artifacts;
REVOKE DELETE, SELECT (conversation_id) ON artifacts FROM fd_keeper;
