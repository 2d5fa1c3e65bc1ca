-- Public keys, with which sites report leads and sales from the browser.
CREATE TABLE "tracking_key" (
    "pk" SERIAL NOT NULL,
    "id" TEXT NOT NULL,
    "workspace_pk" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "hosts" TEXT[] NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "tracking_key_pkey" PRIMARY KEY ("pk")
);

CREATE UNIQUE INDEX "tracking_key_id_key" ON "tracking_key"("id");

CREATE UNIQUE INDEX "tracking_key_key_key" ON "tracking_key"("key");

CREATE INDEX "tracking_key_list" ON "tracking_key"("workspace_pk", "pk" DESC);

ALTER TABLE "tracking_key" ADD CONSTRAINT "tracking_key_workspace_pk_fkey" FOREIGN KEY ("workspace_pk") REFERENCES "workspace"("pk") ON DELETE CASCADE ON UPDATE CASCADE;
