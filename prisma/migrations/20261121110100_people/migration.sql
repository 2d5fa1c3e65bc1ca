-- What people prove about themselves: their address, a second factor, accounts elsewhere; and invitations.
ALTER TABLE "app_user"
    ADD COLUMN "email_proven_at" TIMESTAMPTZ(3),
    ADD COLUMN "factor_secret" BYTEA,
    ADD COLUMN "factor_since" TIMESTAMPTZ(3),
    ADD COLUMN "factor_step" BIGINT;

ALTER TABLE "session" ADD COLUMN "agent" TEXT;

-- CreateTable
CREATE TABLE "proof" (
    "hash" BYTEA NOT NULL,
    "purpose" TEXT NOT NULL,
    "user_pk" INTEGER NOT NULL,
    "email" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "proof_pkey" PRIMARY KEY ("hash")
);

-- CreateTable
CREATE TABLE "recovery_code" (
    "user_pk" INTEGER NOT NULL,
    "hash" BYTEA NOT NULL,

    CONSTRAINT "recovery_code_pkey" PRIMARY KEY ("user_pk","hash")
);

-- CreateTable
CREATE TABLE "identity" (
    "provider" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "user_pk" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "identity_pkey" PRIMARY KEY ("provider","subject")
);

-- CreateTable
CREATE TABLE "invitation" (
    "id" TEXT NOT NULL,
    "workspace_pk" INTEGER NOT NULL,
    "email" TEXT,
    "role" TEXT NOT NULL,
    "hash" BYTEA NOT NULL,
    "invited_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "invitation_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "proof_user_pk_idx" ON "proof"("user_pk");

-- CreateIndex
CREATE INDEX "proof_expires_at_idx" ON "proof"("expires_at");

-- CreateIndex
CREATE INDEX "identity_user_pk_idx" ON "identity"("user_pk");

-- CreateIndex
CREATE UNIQUE INDEX "invitation_hash_key" ON "invitation"("hash");

-- CreateIndex
CREATE INDEX "invitation_workspace_pk_idx" ON "invitation"("workspace_pk");

-- AddForeignKey
ALTER TABLE "proof" ADD CONSTRAINT "proof_user_pk_fkey" FOREIGN KEY ("user_pk") REFERENCES "app_user"("pk") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "recovery_code" ADD CONSTRAINT "recovery_code_user_pk_fkey" FOREIGN KEY ("user_pk") REFERENCES "app_user"("pk") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "identity" ADD CONSTRAINT "identity_user_pk_fkey" FOREIGN KEY ("user_pk") REFERENCES "app_user"("pk") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "invitation" ADD CONSTRAINT "invitation_workspace_pk_fkey" FOREIGN KEY ("workspace_pk") REFERENCES "workspace"("pk") ON DELETE CASCADE ON UPDATE CASCADE;
