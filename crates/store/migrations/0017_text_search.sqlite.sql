-- Full-text search over messages, documents and titles. The index has the words alone; the texts stay where they are.
-- Numbers rise with time. `scope` is the scope's id as one word: an entry of another scope is skipped in the index.
CREATE TABLE search_rows (
    number          INTEGER PRIMARY KEY,
    kind            TEXT NOT NULL CHECK (kind IN ('title', 'message', 'document')),
    object_id       TEXT NOT NULL UNIQUE,
    conversation_id TEXT NOT NULL
) STRICT;
CREATE VIRTUAL TABLE search_words USING fts5(scope, content, content = '', contentless_delete = 1,
    tokenize = 'unicode61 remove_diacritics 2');

CREATE TRIGGER conversations_found AFTER INSERT ON conversations BEGIN
    INSERT INTO search_rows (kind, object_id, conversation_id) VALUES ('title', NEW.id, NEW.id);
    INSERT INTO search_words (rowid, scope, content)
        SELECT number, replace(NEW.scope_id, '-', ''), NEW.title FROM search_rows WHERE object_id = NEW.id;
END;
CREATE TRIGGER conversations_renamed AFTER UPDATE OF title ON conversations WHEN OLD.title <> NEW.title BEGIN
    DELETE FROM search_words WHERE rowid = (SELECT number FROM search_rows WHERE object_id = NEW.id);
    INSERT INTO search_words (rowid, scope, content)
        SELECT number, replace(NEW.scope_id, '-', ''), NEW.title FROM search_rows WHERE object_id = NEW.id;
END;
CREATE TRIGGER conversations_lost AFTER DELETE ON conversations BEGIN
    DELETE FROM search_words WHERE rowid = (SELECT number FROM search_rows WHERE object_id = OLD.id);
    DELETE FROM search_rows WHERE object_id = OLD.id;
END;
CREATE TRIGGER messages_found AFTER INSERT ON messages WHEN NEW.part = 'said' BEGIN
    INSERT INTO search_rows (kind, object_id, conversation_id) VALUES ('message', NEW.id, NEW.conversation_id);
    INSERT INTO search_words (rowid, scope, content)
        SELECT number, replace(NEW.scope_id, '-', ''), NEW.content FROM search_rows WHERE object_id = NEW.id;
END;
CREATE TRIGGER messages_lost AFTER DELETE ON messages WHEN OLD.part = 'said' BEGIN
    DELETE FROM search_words WHERE rowid = (SELECT number FROM search_rows WHERE object_id = OLD.id);
    DELETE FROM search_rows WHERE object_id = OLD.id;
END;
CREATE TRIGGER artifacts_found AFTER INSERT ON artifacts BEGIN
    INSERT INTO search_rows (kind, object_id, conversation_id) VALUES ('document', NEW.id, NEW.conversation_id);
    INSERT INTO search_words (rowid, scope, content)
        SELECT number, replace(NEW.scope_id, '-', ''), NEW.title || ' ' || coalesce(
            (SELECT group_concat(atom, ' ') FROM json_tree(NEW.content) WHERE type = 'text'), '')
        FROM search_rows WHERE object_id = NEW.id;
END;
CREATE TRIGGER artifacts_lost AFTER DELETE ON artifacts BEGIN
    DELETE FROM search_words WHERE rowid = (SELECT number FROM search_rows WHERE object_id = OLD.id);
    DELETE FROM search_rows WHERE object_id = OLD.id;
END;

INSERT INTO search_rows (kind, object_id, conversation_id)
    SELECT kind, id, conversation_id FROM (
        SELECT 'title' AS kind, id, id AS conversation_id, created_at FROM conversations
        UNION ALL SELECT 'message', id, conversation_id, created_at FROM messages WHERE part = 'said'
        UNION ALL SELECT 'document', id, conversation_id, created_at FROM artifacts)
    ORDER BY created_at;
INSERT INTO search_words (rowid, scope, content)
    SELECT r.number, replace(c.scope_id, '-', ''), c.title
    FROM search_rows r JOIN conversations c ON c.id = r.object_id WHERE r.kind = 'title';
INSERT INTO search_words (rowid, scope, content)
    SELECT r.number, replace(m.scope_id, '-', ''), m.content
    FROM search_rows r JOIN messages m ON m.id = r.object_id WHERE r.kind = 'message';
INSERT INTO search_words (rowid, scope, content)
    SELECT r.number, replace(a.scope_id, '-', ''), a.title || ' ' || coalesce(
        (SELECT group_concat(atom, ' ') FROM json_tree(a.content) WHERE type = 'text'), '')
    FROM search_rows r JOIN artifacts a ON a.id = r.object_id WHERE r.kind = 'document';
