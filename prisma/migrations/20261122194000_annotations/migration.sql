-- Notes on the charts of a workspace; a share shows them if it says so.
CREATE TABLE "annotation" (
    "pk" SERIAL NOT NULL,
    "id" TEXT NOT NULL,
    "workspace_pk" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "text" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "annotation_pkey" PRIMARY KEY ("pk")
);

-- CreateIndex
CREATE UNIQUE INDEX "annotation_id_key" ON "annotation"("id");

-- CreateIndex
CREATE INDEX "annotation_workspace_pk_at_idx" ON "annotation"("workspace_pk", "at");

-- AddForeignKey
ALTER TABLE "annotation" ADD CONSTRAINT "annotation_workspace_pk_fkey" FOREIGN KEY ("workspace_pk") REFERENCES "workspace"("pk") ON DELETE CASCADE ON UPDATE CASCADE;

-- AlterTable
ALTER TABLE "share" ADD COLUMN     "annotations" BOOLEAN NOT NULL DEFAULT false;
