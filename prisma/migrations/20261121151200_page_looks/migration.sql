-- Colour and logo of the pages that visitors of a workspace's links meet.
CREATE TABLE "page_look" (
    "workspace_pk" INTEGER NOT NULL,
    "revision" BIGINT NOT NULL,
    "color" TEXT,
    "logo" BYTEA,

    CONSTRAINT "page_look_pkey" PRIMARY KEY ("workspace_pk")
);

-- AddForeignKey
ALTER TABLE "page_look" ADD CONSTRAINT "page_look_workspace_pk_fkey" FOREIGN KEY ("workspace_pk") REFERENCES "workspace"("pk") ON DELETE CASCADE ON UPDATE CASCADE;
