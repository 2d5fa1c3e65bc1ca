CREATE EXTENSION IF NOT EXISTS "btree_gin";

-- Stretches of the searched links of a workspace, in the order of their ids.
CREATE TABLE "search_era" (
    "pk" SERIAL NOT NULL,
    "workspace_pk" INTEGER NOT NULL,
    "after_id" UUID NOT NULL,
    "links" INTEGER NOT NULL,

    CONSTRAINT "search_era_pkey" PRIMARY KEY ("pk")
);

CREATE UNIQUE INDEX "search_era_after" ON "search_era"("workspace_pk", "after_id" DESC);

DROP INDEX "link_search_text";

ALTER TABLE "link_search"
    ADD COLUMN "era_pk" INTEGER,
    ADD COLUMN "id" UUID,
    ADD COLUMN "grams" TEXT[] DEFAULT ARRAY[]::TEXT[];

DELETE FROM "link_search"
WHERE NOT EXISTS (SELECT 1 FROM "link" WHERE "link"."pk" = "link_search"."link_pk");

UPDATE "link_search"
SET "id" = "link"."id",
    "text" = lower(normalize("link_search"."text", NFKC))
FROM "link"
WHERE "link"."pk" = "link_search"."link_pk";

UPDATE "link_search"
SET "grams" = ARRAY(
    SELECT DISTINCT gram
    FROM regexp_matches("text", '[^\sa-z0-9:/.?&=_%#+-]+', 'g') AS run
    CROSS JOIN generate_series(1, length(run[1])) AS at
    CROSS JOIN LATERAL (VALUES (substr(run[1], at, 1)), (substr(run[1], at, 2))) AS gram (gram)
);

-- The links of each workspace in stretches of 65,536; the first begins before all ids.
WITH placed AS (
    SELECT "workspace_pk", "id", (row_number() OVER (PARTITION BY "workspace_pk" ORDER BY "id") - 1) / 65536 AS era
    FROM "link_search"
), ended AS (
    SELECT "workspace_pk", era, count(*) AS links, (array_agg("id" ORDER BY "id" DESC))[1] AS last_id
    FROM placed
    GROUP BY "workspace_pk", era
)
INSERT INTO "search_era" ("workspace_pk", "after_id", "links")
SELECT "workspace_pk",
       coalesce(lag(last_id) OVER (PARTITION BY "workspace_pk" ORDER BY era), '00000000-0000-0000-0000-000000000000'),
       links
FROM ended
ORDER BY "workspace_pk", era;

UPDATE "link_search"
SET "era_pk" = (
    SELECT "pk"
    FROM "search_era"
    WHERE "search_era"."workspace_pk" = "link_search"."workspace_pk"
      AND "search_era"."after_id" < "link_search"."id"
    ORDER BY "after_id" DESC
    LIMIT 1
);

ALTER TABLE "link_search"
    ALTER COLUMN "era_pk" SET NOT NULL,
    ALTER COLUMN "id" SET NOT NULL;

-- Without a list of pending entries: each search would read the whole of it for each era.
CREATE INDEX "link_search_grams" ON "link_search"
    USING GIN ("era_pk" int4_ops, "text" gin_trgm_ops, "grams" array_ops)
    WITH (fastupdate = off);

-- For lists by clicks: who sorts reads the counters of one workspace. No index on the counters themselves: each click
-- would have to renew it.
CREATE INDEX "link_stat_workspace" ON "link_stat"("workspace_pk");

-- Partial, so that plain links, which have none of these, do not pay for them.
CREATE INDEX "link_folder" ON "link"("folder_pk", "id" DESC) WHERE (folder_pk IS NOT NULL);
CREATE INDEX "link_tenant" ON "link"("workspace_pk", "tenant_id", "id" DESC) WHERE (tenant_id IS NOT NULL);
CREATE INDEX "link_archived" ON "link"("workspace_pk", "id" DESC) WHERE (archived);
