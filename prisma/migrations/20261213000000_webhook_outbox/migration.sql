-- New events, as many as were added at once in a row. They become rows of webhook_event when they are routed.
CREATE TABLE "webhook_outbox" (
    "pk" BIGSERIAL NOT NULL,
    "workspace_pk" INTEGER NOT NULL,
    "events" JSON NOT NULL,
    "size" SMALLINT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "webhook_outbox_pkey" PRIMARY KEY ("pk")
);

CREATE INDEX "webhook_outbox_workspace" ON "webhook_outbox"("workspace_pk", "pk");

CREATE INDEX "webhook_outbox_at" ON "webhook_outbox"("at");

ALTER TABLE "webhook_outbox" ADD CONSTRAINT "webhook_outbox_workspace_pk_fkey" FOREIGN KEY ("workspace_pk") REFERENCES "workspace"("pk") ON DELETE CASCADE ON UPDATE CASCADE;

INSERT INTO "webhook_outbox" ("workspace_pk", "events", "size", "at")
SELECT
    "workspace_pk",
    json_build_array(json_build_object('id', "id", 'type', "type", 'linkId', "link_id", 'data', "data", 'at', "at")),
    1,
    "at"
FROM "webhook_event"
WHERE NOT "routed"
ORDER BY "pk";

DELETE FROM "webhook_event" WHERE NOT "routed";

DROP INDEX "webhook_event_new";

ALTER TABLE "webhook_event" DROP COLUMN "routed";
