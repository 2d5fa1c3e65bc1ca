-- How the QR codes of a workspace look, and the logos in their middle.
CREATE TABLE "qr_logo" (
    "pk" SERIAL NOT NULL,
    "id" TEXT NOT NULL,
    "workspace_pk" INTEGER NOT NULL,
    "hash" TEXT NOT NULL,
    "png" BYTEA NOT NULL,
    "width" INTEGER NOT NULL,
    "height" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "qr_logo_pkey" PRIMARY KEY ("pk")
);

-- CreateTable
CREATE TABLE "qr_template" (
    "pk" SERIAL NOT NULL,
    "id" TEXT NOT NULL,
    "workspace_pk" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "design" JSONB NOT NULL,
    "logo_pk" INTEGER,
    "is_default" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "qr_template_pkey" PRIMARY KEY ("pk")
);

-- CreateIndex
CREATE UNIQUE INDEX "qr_logo_id_key" ON "qr_logo"("id");

-- CreateIndex
CREATE UNIQUE INDEX "qr_logo_workspace_pk_hash_key" ON "qr_logo"("workspace_pk", "hash");

-- CreateIndex
CREATE UNIQUE INDEX "qr_template_id_key" ON "qr_template"("id");

-- CreateIndex
CREATE INDEX "qr_template_workspace_pk_idx" ON "qr_template"("workspace_pk");

-- CreateIndex
CREATE INDEX "qr_template_logo_pk_idx" ON "qr_template"("logo_pk");

-- CreateIndex
CREATE UNIQUE INDEX "qr_template_default" ON "qr_template"("workspace_pk") WHERE (is_default);

-- AddForeignKey
ALTER TABLE "qr_logo" ADD CONSTRAINT "qr_logo_workspace_pk_fkey" FOREIGN KEY ("workspace_pk") REFERENCES "workspace"("pk") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "qr_template" ADD CONSTRAINT "qr_template_workspace_pk_fkey" FOREIGN KEY ("workspace_pk") REFERENCES "workspace"("pk") ON DELETE CASCADE ON UPDATE CASCADE;

-- Checked at the end of a statement: one that deletes the workspace deletes both.
ALTER TABLE "qr_template" ADD CONSTRAINT "qr_template_logo_pk_fkey" FOREIGN KEY ("logo_pk") REFERENCES "qr_logo"("pk") ON DELETE NO ACTION ON UPDATE CASCADE;
