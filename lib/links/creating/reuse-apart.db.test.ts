import "../../../test/links-apart.ts";
import "./reuse.db.test.ts";
