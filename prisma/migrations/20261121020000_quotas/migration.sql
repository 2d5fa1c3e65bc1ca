-- CreateTable
CREATE TABLE "quota_use" (
    "workspace_pk" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "month" DATE NOT NULL,
    "used" BIGINT NOT NULL,

    CONSTRAINT "quota_use_pkey" PRIMARY KEY ("workspace_pk","name","month")
);

-- AddForeignKey
ALTER TABLE "quota_use" ADD CONSTRAINT "quota_use_workspace_pk_fkey" FOREIGN KEY ("workspace_pk") REFERENCES "workspace"("pk") ON DELETE CASCADE ON UPDATE CASCADE;
