-- Filters of a list under a name, of one person or of the workspace.
CREATE TABLE "saved_view" (
    "pk" SERIAL NOT NULL,
    "id" TEXT NOT NULL,
    "workspace_pk" INTEGER NOT NULL,
    "user_pk" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "search" TEXT NOT NULL,
    "shared" BOOLEAN NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "saved_view_pkey" PRIMARY KEY ("pk")
);

-- CreateIndex
CREATE UNIQUE INDEX "saved_view_id_key" ON "saved_view"("id");

-- CreateIndex
CREATE UNIQUE INDEX "saved_view_workspace_pk_user_pk_name_key" ON "saved_view"("workspace_pk", "user_pk", "name");

-- AddForeignKey
ALTER TABLE "saved_view" ADD CONSTRAINT "saved_view_workspace_pk_fkey" FOREIGN KEY ("workspace_pk") REFERENCES "workspace"("pk") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "saved_view" ADD CONSTRAINT "saved_view_user_pk_fkey" FOREIGN KEY ("user_pk") REFERENCES "app_user"("pk") ON DELETE CASCADE ON UPDATE CASCADE;
