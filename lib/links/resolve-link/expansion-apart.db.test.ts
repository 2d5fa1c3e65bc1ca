import "../../../test/links-apart.ts";
import "./expansion.db.test.ts";
