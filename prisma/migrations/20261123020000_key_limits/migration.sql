-- AlterTable
ALTER TABLE "api_key" ADD COLUMN "domain_ids" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
ADD COLUMN "folder_ids" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
ADD COLUMN "calls_per_minute" INTEGER,
ADD COLUMN "previous_hash" BYTEA,
ADD COLUMN "previous_hint" TEXT,
ADD COLUMN "previous_ends_at" TIMESTAMPTZ(3);

-- CreateIndex
CREATE UNIQUE INDEX "api_key_previous_hash_key" ON "api_key"("previous_hash");

-- CreateTable
CREATE TABLE "key_use" (
    "api_key_pk" INTEGER NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "calls" INTEGER NOT NULL,
    "links" INTEGER NOT NULL,
    "refusals" INTEGER NOT NULL,
    "last_at" TIMESTAMPTZ(3),
    "last_address" TEXT,

    CONSTRAINT "key_use_pkey" PRIMARY KEY ("api_key_pk","hour")
);

-- CreateTable
CREATE TABLE "key_app" (
    "api_key_pk" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "version" TEXT NOT NULL,
    "calls" BIGINT NOT NULL,
    "last_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "key_app_pkey" PRIMARY KEY ("api_key_pk","name","version")
);

-- AddForeignKey
ALTER TABLE "key_use" ADD CONSTRAINT "key_use_api_key_pk_fkey" FOREIGN KEY ("api_key_pk") REFERENCES "api_key"("pk") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "key_app" ADD CONSTRAINT "key_app_api_key_pk_fkey" FOREIGN KEY ("api_key_pk") REFERENCES "api_key"("pk") ON DELETE CASCADE ON UPDATE CASCADE;
