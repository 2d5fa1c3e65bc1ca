-- Where codes by SMS may go, how many a day, and a stop switch.
ALTER TABLE "workspace" ADD COLUMN "code_countries" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN "codes_per_day" INTEGER NOT NULL DEFAULT 500,
ADD COLUMN "codes_stopped" BOOLEAN NOT NULL DEFAULT false;

-- Until now they went everywhere: those who used them keep the countries where they were received.
UPDATE "workspace"
SET "code_countries" = "used"."countries"
FROM (
    SELECT "workspace_pk", array_agg(DISTINCT "country") AS "countries"
    FROM "contact"
    WHERE "phone_confirmed" AND "country" IS NOT NULL AND "country" <> ''
    GROUP BY "workspace_pk"
) AS "used"
WHERE "workspace"."pk" = "used"."workspace_pk";

CREATE TABLE "phone_code_hour" (
    "workspace_pk" INTEGER NOT NULL,
    "country" TEXT NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "asked" INTEGER NOT NULL,
    "told" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "phone_code_hour_pkey" PRIMARY KEY ("workspace_pk","country","hour")
);

CREATE INDEX "phone_code_hour_hour" ON "phone_code_hour"("hour");

ALTER TABLE "phone_code_hour" ADD CONSTRAINT "phone_code_hour_workspace_pk_fkey" FOREIGN KEY ("workspace_pk") REFERENCES "workspace"("pk") ON DELETE CASCADE ON UPDATE CASCADE;
