import "../../../test/links-apart.ts";
import "./misses.db.test.ts";
