-- Webhooks of workspaces, the events that they are told, and the delivery of each event to each webhook.
CREATE TABLE "webhook" (
    "pk" SERIAL NOT NULL,
    "id" TEXT NOT NULL,
    "workspace_pk" INTEGER NOT NULL,
    "user_pk" INTEGER,
    "name" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "format" TEXT NOT NULL,
    "events" TEXT[] NOT NULL,
    "domains" TEXT[] NOT NULL,
    "folder_ids" TEXT[] NOT NULL,
    "tag_ids" TEXT[] NOT NULL,
    "chosen_links" BOOLEAN NOT NULL,
    "ordered" BOOLEAN NOT NULL,
    "sealed" BYTEA NOT NULL,
    "previous_until" TIMESTAMPTZ(3),
    "state" TEXT NOT NULL DEFAULT 'active',
    "failing_since" TIMESTAMPTZ(3),
    "failures" INTEGER NOT NULL DEFAULT 0,
    "waiting" INTEGER NOT NULL DEFAULT 0,
    "dropped" BIGINT NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3),
    "lease" UUID,
    "lease_until" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "webhook_pkey" PRIMARY KEY ("pk")
);

CREATE TABLE "webhook_event" (
    "pk" BIGSERIAL NOT NULL,
    "id" TEXT NOT NULL,
    "workspace_pk" INTEGER NOT NULL,
    "type" TEXT NOT NULL,
    "link_id" TEXT,
    "data" JSONB NOT NULL,
    "routed" BOOLEAN NOT NULL DEFAULT false,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "webhook_event_pkey" PRIMARY KEY ("pk")
);

CREATE TABLE "webhook_delivery" (
    "webhook_pk" INTEGER NOT NULL,
    "event_pk" BIGINT NOT NULL,
    "link_id" TEXT,
    "state" TEXT NOT NULL DEFAULT 'waiting',
    "attempts" SMALLINT NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "attempted_at" TIMESTAMPTZ(3),
    "status" SMALLINT,
    "ms" INTEGER,
    "response" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "webhook_delivery_pkey" PRIMARY KEY ("webhook_pk","event_pk")
);

CREATE UNIQUE INDEX "webhook_id_key" ON "webhook"("id");

CREATE INDEX "webhook_list" ON "webhook"("workspace_pk", "pk" DESC);

CREATE INDEX "webhook_due" ON "webhook"("due_at") WHERE (state = 'active');

CREATE UNIQUE INDEX "webhook_event_id_key" ON "webhook_event"("id");

CREATE INDEX "webhook_event_new" ON "webhook_event"("workspace_pk", "pk") WHERE (NOT routed);

CREATE INDEX "webhook_event_workspace" ON "webhook_event"("workspace_pk");

CREATE INDEX "webhook_event_at" ON "webhook_event"("at");

CREATE INDEX "webhook_delivery_due" ON "webhook_delivery"("webhook_pk", "due_at", "event_pk") WHERE (state = 'waiting');

CREATE INDEX "webhook_delivery_link" ON "webhook_delivery"("webhook_pk", "link_id", "event_pk") WHERE (state = 'waiting');

CREATE INDEX "webhook_delivery_event" ON "webhook_delivery"("event_pk");

ALTER TABLE "webhook" ADD CONSTRAINT "webhook_workspace_pk_fkey" FOREIGN KEY ("workspace_pk") REFERENCES "workspace"("pk") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "webhook" ADD CONSTRAINT "webhook_user_pk_fkey" FOREIGN KEY ("user_pk") REFERENCES "app_user"("pk") ON DELETE SET NULL ON UPDATE CASCADE;

ALTER TABLE "webhook_event" ADD CONSTRAINT "webhook_event_workspace_pk_fkey" FOREIGN KEY ("workspace_pk") REFERENCES "workspace"("pk") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "webhook_delivery" ADD CONSTRAINT "webhook_delivery_webhook_pk_fkey" FOREIGN KEY ("webhook_pk") REFERENCES "webhook"("pk") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "webhook_delivery" ADD CONSTRAINT "webhook_delivery_event_pk_fkey" FOREIGN KEY ("event_pk") REFERENCES "webhook_event"("pk") ON DELETE CASCADE ON UPDATE CASCADE;
