-- AlterTable
ALTER TABLE "app_user" ADD COLUMN "banned_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "workspace" ADD COLUMN "banned_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "link" ADD COLUMN "ban_reason" TEXT;

-- CreateTable
CREATE TABLE "ban" (
    "pk" SERIAL NOT NULL,
    "id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "workspace_pk" INTEGER,
    "user_pk" INTEGER,
    "link_pk" BIGINT,
    "reason" TEXT NOT NULL,
    "note" TEXT NOT NULL,
    "actor" TEXT NOT NULL,
    "revision" BIGINT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    "ends_at" TIMESTAMPTZ(3),
    "lifted_at" TIMESTAMPTZ(3),
    "lifted_by" TEXT,
    "announced_at" TIMESTAMPTZ(3),

    CONSTRAINT "ban_pkey" PRIMARY KEY ("pk")
);

-- CreateTable
CREATE TABLE "ban_recipient" (
    "ban_pk" INTEGER NOT NULL,
    "user_pk" INTEGER NOT NULL,
    "workspace_pk" INTEGER,
    "links" INTEGER NOT NULL,
    "mails" TEXT[] DEFAULT ARRAY['banned']::TEXT[],
    "appeal" TEXT,
    "appealed_at" TIMESTAMPTZ(3),
    "decided_at" TIMESTAMPTZ(3),
    "decided_by" TEXT,
    "accepted" BOOLEAN,

    CONSTRAINT "ban_recipient_pkey" PRIMARY KEY ("ban_pk","user_pk")
);

-- CreateIndex
CREATE UNIQUE INDEX "ban_id_key" ON "ban"("id");

-- CreateIndex
CREATE UNIQUE INDEX "ban_active" ON "ban"("kind", "subject") WHERE (lifted_at IS NULL);

-- CreateIndex
CREATE INDEX "ban_revision" ON "ban"("revision" DESC);

-- CreateIndex
CREATE INDEX "ban_ending" ON "ban"("ends_at") WHERE (lifted_at IS NULL);

-- CreateIndex
CREATE INDEX "ban_unannounced" ON "ban"("pk") WHERE (announced_at IS NULL);

-- CreateIndex
CREATE INDEX "ban_workspace_pk_idx" ON "ban"("workspace_pk");

-- CreateIndex
CREATE INDEX "ban_user_pk_idx" ON "ban"("user_pk");

-- CreateIndex
CREATE INDEX "ban_link_pk_idx" ON "ban"("link_pk");

-- CreateIndex
CREATE INDEX "ban_recipient_user_pk_idx" ON "ban_recipient"("user_pk");

-- CreateIndex
CREATE INDEX "ban_recipient_workspace_pk_idx" ON "ban_recipient"("workspace_pk");

-- CreateIndex
CREATE INDEX "ban_recipient_untold" ON "ban_recipient"("ban_pk") WHERE (mails <> '{}'::text[]);

-- CreateIndex
CREATE INDEX "ban_recipient_appeal" ON "ban_recipient"("appealed_at") WHERE ((appealed_at IS NOT NULL) AND (decided_at IS NULL));

-- AddForeignKey
ALTER TABLE "ban" ADD CONSTRAINT "ban_workspace_pk_fkey" FOREIGN KEY ("workspace_pk") REFERENCES "workspace"("pk") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ban" ADD CONSTRAINT "ban_user_pk_fkey" FOREIGN KEY ("user_pk") REFERENCES "app_user"("pk") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ban_recipient" ADD CONSTRAINT "ban_recipient_ban_pk_fkey" FOREIGN KEY ("ban_pk") REFERENCES "ban"("pk") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ban_recipient" ADD CONSTRAINT "ban_recipient_user_pk_fkey" FOREIGN KEY ("user_pk") REFERENCES "app_user"("pk") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ban_recipient" ADD CONSTRAINT "ban_recipient_workspace_pk_fkey" FOREIGN KEY ("workspace_pk") REFERENCES "workspace"("pk") ON DELETE CASCADE ON UPDATE CASCADE;
