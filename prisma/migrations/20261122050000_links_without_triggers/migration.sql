-- The engine that writes links (lib/links/writing) notes moved and deleted links itself, in the same transaction: rows
-- with triggers cannot be distributed over several servers, and a create paid for triggers that had nothing to note.
DROP TRIGGER moves_of_tagged ON "link_tag";
DROP TRIGGER moves_of_untagged ON "link_tag";
DROP TRIGGER moves_into_folder ON "link";
DROP TRIGGER moves_between_folders ON "link";
DROP TRIGGER moves_out_of_folder ON "link";
DROP TRIGGER erasure_of_links ON "link";

DROP FUNCTION analytics.note_tagged();
DROP FUNCTION analytics.note_untagged();
DROP FUNCTION analytics.note_folder();
DROP FUNCTION analytics.note_deleted_links();
