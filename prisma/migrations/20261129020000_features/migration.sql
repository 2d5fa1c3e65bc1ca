-- Parts of the product that administrators turned off, and on again. A feature without a row is on.
CREATE TABLE "feature" (
    "name" TEXT NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    "reason" TEXT NOT NULL,
    "revision" BIGINT NOT NULL,
    "changed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),

    CONSTRAINT "feature_pkey" PRIMARY KEY ("name")
);
