/**
 * Some statements have two forms: one for links on several servers, which Citus accepts, and one that costs less on one
 * PostgreSQL, which accepts both. Test files whose names
 * end with `-apart` import this, and run the tests of the other file with the first form.
 */
process.env["TEST_LINKS_APART"] = "yes";
