-- The longest time without a use, so that one that was too long for a workspace is not forgotten with the next use.
ALTER TABLE "session" ADD COLUMN "idle_seconds" INTEGER NOT NULL DEFAULT 0;

-- What sessions must not exceed in this workspace; null: what the instance permits.
ALTER TABLE "workspace"
    ADD COLUMN "session_idle_minutes" INTEGER,
    ADD COLUMN "session_hours" INTEGER;
