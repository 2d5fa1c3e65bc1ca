import "../../../test/links-apart.ts";
import "./events.db.test.ts";
