-- Campaign parameters that a workspace uses again and again.
CREATE TABLE "utm_template" (
    "pk" SERIAL NOT NULL,
    "id" TEXT NOT NULL,
    "workspace_pk" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "utm_source" TEXT,
    "utm_medium" TEXT,
    "utm_campaign" TEXT,
    "utm_term" TEXT,
    "utm_content" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "utm_template_pkey" PRIMARY KEY ("pk")
);

-- CreateIndex
CREATE UNIQUE INDEX "utm_template_id_key" ON "utm_template"("id");

-- CreateIndex
CREATE UNIQUE INDEX "utm_template_workspace_pk_name_key" ON "utm_template"("workspace_pk", "name");

-- AddForeignKey
ALTER TABLE "utm_template" ADD CONSTRAINT "utm_template_workspace_pk_fkey" FOREIGN KEY ("workspace_pk") REFERENCES "workspace"("pk") ON DELETE CASCADE ON UPDATE CASCADE;
