-- What the whole instance did on a day (UTC), so that charts read one row per day.
CREATE TABLE "instance_day" (
  "day" DATE NOT NULL,
  "links" BIGINT NOT NULL,
  "clicks" BIGINT NOT NULL,
  "workspaces" INTEGER NOT NULL,
  "people" INTEGER NOT NULL,
  -- Null: the day was over before it was recorded.
  "codes_leased" BIGINT,
  "database_bytes" BIGINT,
  CONSTRAINT "instance_day_pkey" PRIMARY KEY ("day")
);
