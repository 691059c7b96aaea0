-- Who asked for a version of a document, or edited it; nothing for versions from before.
ALTER TABLE artifacts ADD COLUMN author TEXT;
