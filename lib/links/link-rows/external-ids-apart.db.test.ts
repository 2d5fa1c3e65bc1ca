import "../../../test/links-apart.ts";
import "./external-ids.db.test.ts";
