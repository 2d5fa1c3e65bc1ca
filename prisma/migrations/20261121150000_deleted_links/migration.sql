-- Links that a person deleted in the dashboard, for the minutes in which they can take it back.
CREATE TABLE "deleted_link" (
    "link_pk" BIGINT NOT NULL,
    "workspace_pk" INTEGER NOT NULL,
    "link_id" UUID NOT NULL,
    "actor" TEXT NOT NULL,
    "deleted_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    "link" JSONB NOT NULL,
    "tag_pks" INTEGER[] NOT NULL,
    "searched" BOOLEAN NOT NULL,
    "allowance" JSONB,

    CONSTRAINT "deleted_link_pkey" PRIMARY KEY ("link_pk")
);

CREATE INDEX "deleted_link_workspace_pk_link_id_idx" ON "deleted_link" ("workspace_pk", "link_id");
CREATE INDEX "deleted_link_deleted_at_idx" ON "deleted_link" ("deleted_at");

ALTER TABLE "deleted_link" ADD CONSTRAINT "deleted_link_workspace_pk_fkey"
FOREIGN KEY ("workspace_pk") REFERENCES "workspace" ("pk") ON DELETE CASCADE ON UPDATE CASCADE;

-- The statistics of a link that can come back are erased some minutes after it no longer can.
CREATE OR REPLACE FUNCTION analytics.note_deleted_links() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO analytics.erasure (workspace_pk, link_pk, due_at)
    SELECT
        gone.workspace_pk,
        gone.pk,
        now() + CASE WHEN deleted_link.link_pk IS NULL THEN interval '0' ELSE interval '15 minutes' END
    FROM gone
    LEFT JOIN deleted_link ON deleted_link.link_pk = gone.pk
    WHERE gone.workspace_pk IS NOT NULL;
    RETURN NULL;
END
$$;

-- Coming back takes the note away again.
CREATE INDEX erasure_link ON analytics.erasure (link_pk) WHERE link_pk IS NOT NULL;
