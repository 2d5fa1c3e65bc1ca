import "../../../test/links-apart.ts";
import "./search.db.test.ts";
