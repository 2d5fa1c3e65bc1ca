-- The server and its timeline at the last start or promotion: after a change, sequences jump ahead.
ALTER TABLE "installation" ADD COLUMN "timeline" TEXT;

-- One row, renewed while replicas are configured: how far each of them is behind.
CREATE TABLE "replica_beat" (
    "only" SMALLINT NOT NULL DEFAULT 1,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "replica_beat_pkey" PRIMARY KEY ("only"),
    CONSTRAINT "replica_beat_only" CHECK ("only" = 1)
);
