import "../../../test/links-apart.ts";
import "./by-clicks.db.test.ts";
