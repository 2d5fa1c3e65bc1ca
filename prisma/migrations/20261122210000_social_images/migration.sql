-- Pictures for social previews of links, uploaded in the editor.
CREATE TABLE "social_image" (
    "pk" SERIAL NOT NULL,
    "id" TEXT NOT NULL,
    "workspace_pk" INTEGER NOT NULL,
    "hash" TEXT NOT NULL,
    "jpeg" BYTEA NOT NULL,
    "width" INTEGER NOT NULL,
    "height" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "social_image_pkey" PRIMARY KEY ("pk")
);

-- CreateIndex
CREATE UNIQUE INDEX "social_image_id_key" ON "social_image"("id");

-- CreateIndex
CREATE UNIQUE INDEX "social_image_workspace_pk_hash_key" ON "social_image"("workspace_pk", "hash");

-- AddForeignKey
ALTER TABLE "social_image" ADD CONSTRAINT "social_image_workspace_pk_fkey" FOREIGN KEY ("workspace_pk") REFERENCES "workspace"("pk") ON DELETE CASCADE ON UPDATE CASCADE;
