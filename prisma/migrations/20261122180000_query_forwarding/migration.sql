-- Whether the links of a workspace forward query parameters, where a link does not say.
ALTER TABLE "workspace" ADD COLUMN "forward_query" BOOLEAN NOT NULL DEFAULT false;

-- Three states: null, which is the new default, follows the workspace. A new column: clearing the old one in each row
-- would rewrite the table. Only links that forward keep a value.
ALTER TABLE "link" RENAME COLUMN "forward_query" TO "forward_query_before";
ALTER TABLE "link" ADD COLUMN "forward_query" BOOLEAN;
UPDATE "link" SET "forward_query" = true WHERE "forward_query_before";
ALTER TABLE "link" DROP COLUMN "forward_query_before";
