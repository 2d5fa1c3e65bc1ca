-- What a session has proved, and when.
ALTER TABLE "session"
    ADD COLUMN "password_at" TIMESTAMPTZ(3),
    ADD COLUMN "email_at" TIMESTAMPTZ(3),
    ADD COLUMN "oauth_at" TIMESTAMPTZ(3),
    ADD COLUMN "factor_at" TIMESTAMPTZ(3),
    ADD COLUMN "factor_due_at" TIMESTAMPTZ(3),
    ADD COLUMN "office_at" TIMESTAMPTZ(3);

-- It is unknown how the present ones began: they count as begun with a password, and with nothing more.
UPDATE "session" SET "password_at" = "created_at" WHERE "ended_at" IS NULL;

-- Changes of second factors that their owner can undo.
CREATE TABLE "factor_undo" (
    "hash" BYTEA NOT NULL,
    "user_pk" INTEGER NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "secret" BYTEA,
    "since" TIMESTAMPTZ(3),
    "step" BIGINT,
    "codes" BYTEA[] NOT NULL,

    CONSTRAINT "factor_undo_pkey" PRIMARY KEY ("hash")
);

CREATE INDEX "factor_undo_user_pk_idx" ON "factor_undo"("user_pk");

CREATE INDEX "factor_undo_expires_at_idx" ON "factor_undo"("expires_at");

ALTER TABLE "factor_undo" ADD CONSTRAINT "factor_undo_user_pk_fkey" FOREIGN KEY ("user_pk") REFERENCES "app_user"("pk") ON DELETE CASCADE ON UPDATE CASCADE;
