import "../../../test/links-apart.ts";
import "./isolation.db.test.ts";
