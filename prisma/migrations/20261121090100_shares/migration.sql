-- Statistics that a workspace shows to whoever has the address. Its token is kept as a hash only.
CREATE TABLE "share" (
    "pk" SERIAL NOT NULL,
    "id" TEXT NOT NULL,
    "workspace_pk" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "subject_pk" BIGINT,
    "parts" TEXT[],
    "days_max" INTEGER,
    "token_hash" TEXT NOT NULL,
    "password_hash" TEXT,
    "ends_at" TIMESTAMPTZ(3),
    "made_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "share_pkey" PRIMARY KEY ("pk")
);

-- CreateIndex
CREATE UNIQUE INDEX "share_id_key" ON "share"("id");

-- CreateIndex
CREATE UNIQUE INDEX "share_token_hash_key" ON "share"("token_hash");

-- CreateIndex
CREATE INDEX "share_workspace_pk_idx" ON "share"("workspace_pk");

-- AddForeignKey
ALTER TABLE "share" ADD CONSTRAINT "share_workspace_pk_fkey" FOREIGN KEY ("workspace_pk") REFERENCES "workspace"("pk") ON DELETE CASCADE ON UPDATE CASCADE;
