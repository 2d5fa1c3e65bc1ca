import "../../../test/links-apart.ts";
import "./conversions.db.test.ts";
