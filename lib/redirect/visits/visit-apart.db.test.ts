import "../../../test/links-apart.ts";
import "./visit.db.test.ts";
