import "../../../test/links-apart.ts";
import "./undo-delete.db.test.ts";
