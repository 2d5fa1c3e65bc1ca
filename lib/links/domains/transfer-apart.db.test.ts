import "../../../test/links-apart.ts";
import "./transfer.db.test.ts";
