-- What a reputation service says about the destinations of links.
CREATE TABLE "link_reputation" (
    "link_pk" BIGINT NOT NULL,
    "url_hash" BYTEA NOT NULL,
    "url" TEXT NOT NULL,
    "threat" TEXT,
    "warn_until" TIMESTAMPTZ(3),
    "checked_at" TIMESTAMPTZ(3),
    "next_check_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),

    CONSTRAINT "link_reputation_pkey" PRIMARY KEY ("link_pk", "url_hash")
);

-- CreateTable
CREATE TABLE "reputation_service" (
    "name" TEXT NOT NULL,
    "revision" BIGINT NOT NULL DEFAULT 0,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "paused_until" TIMESTAMPTZ(3),
    "walked_pk" BIGINT NOT NULL DEFAULT 0,
    "walk_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),

    CONSTRAINT "reputation_service_pkey" PRIMARY KEY ("name")
);

-- CreateIndex
CREATE INDEX "link_reputation_due" ON "link_reputation"("next_check_at");

-- CreateIndex
CREATE INDEX "link_reputation_warned" ON "link_reputation"("warn_until") WHERE ("threat" IS NOT NULL);

-- AddForeignKey
ALTER TABLE "link_reputation" ADD CONSTRAINT "link_reputation_link_pk_fkey" FOREIGN KEY ("link_pk") REFERENCES "link"("pk") ON DELETE CASCADE ON UPDATE CASCADE;
