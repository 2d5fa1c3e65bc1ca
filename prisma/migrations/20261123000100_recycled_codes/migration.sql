-- Codes of deleted links that may be issued again on their domain. A drawn one stays until the next sweep.
CREATE TABLE "recycled_code" (
    "pk" BIGINT NOT NULL,
    "domain_pk" INTEGER NOT NULL,
    "ready_at" TIMESTAMPTZ(3) NOT NULL,
    "drawn_at" TIMESTAMPTZ(3),

    CONSTRAINT "recycled_code_pkey" PRIMARY KEY ("pk")
);

-- CreateIndex
CREATE INDEX "recycled_code_free" ON "recycled_code"("domain_pk", "ready_at") WHERE (drawn_at IS NULL);

-- Answers whether an alias on any domain spells a code.
CREATE INDEX "alias_code" ON "alias"("key") WHERE (key ~ '^[0-9A-Za-z]{6,7}$'::text);
