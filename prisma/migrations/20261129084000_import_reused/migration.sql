-- Rows of an import that reused an existing link. `made` counts them too, but undoing the import keeps their links.
ALTER TABLE import ADD COLUMN reused integer DEFAULT 0 NOT NULL;
