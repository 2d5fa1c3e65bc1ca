import "../../../test/links-apart.ts";
import "./campaign-reports.db.test.ts";
