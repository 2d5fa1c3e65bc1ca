import "../../../test/links-apart.ts";
import "./owners.db.test.ts";
