-- AlterTable
ALTER TABLE "workspace" ADD COLUMN "plan_limits" JSONB,
ADD COLUMN "plan_source" TEXT NOT NULL DEFAULT 'default',
ADD COLUMN "plan_ends_at" TIMESTAMPTZ(3),
ADD COLUMN "trial_at" TIMESTAMPTZ(3);

-- CreateIndex
CREATE INDEX "workspace_plan_ends" ON "workspace"("plan_ends_at") WHERE (plan_ends_at IS NOT NULL);

-- CreateTable
CREATE TABLE "plan_warning" (
    "workspace_pk" INTEGER NOT NULL,
    "subject" TEXT NOT NULL,
    "period" TEXT NOT NULL,
    "level" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "plan_warning_pkey" PRIMARY KEY ("workspace_pk","subject","period","level")
);

-- CreateTable
CREATE TABLE "plan_payment" (
    "id" TEXT NOT NULL,
    "workspace_pk" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "plan" TEXT NOT NULL,
    "reference" TEXT NOT NULL,
    "amount" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "paid_until" TIMESTAMPTZ(3),
    "outcome" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "plan_payment_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "plan_payment_kind_reference_key" ON "plan_payment"("kind", "reference");

-- CreateIndex
CREATE INDEX "plan_payment_workspace_pk_created_at_idx" ON "plan_payment"("workspace_pk", "created_at");

-- CreateTable
CREATE TABLE "billing_account" (
    "workspace_pk" INTEGER NOT NULL,
    "customer_id" TEXT NOT NULL,
    "fetches" INTEGER NOT NULL DEFAULT 0,
    "written" INTEGER NOT NULL DEFAULT 0,
    "subscription_id" TEXT,
    "plan" TEXT,
    "status" TEXT,
    "period_ends_at" TIMESTAMPTZ(3),
    "cancels_at" TIMESTAMPTZ(3),
    "fetched_at" TIMESTAMPTZ(3),

    CONSTRAINT "billing_account_pkey" PRIMARY KEY ("workspace_pk")
);

-- CreateIndex
CREATE UNIQUE INDEX "billing_account_customer_id_key" ON "billing_account"("customer_id");

-- AddForeignKey
ALTER TABLE "plan_warning" ADD CONSTRAINT "plan_warning_workspace_pk_fkey" FOREIGN KEY ("workspace_pk") REFERENCES "workspace"("pk") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "plan_payment" ADD CONSTRAINT "plan_payment_workspace_pk_fkey" FOREIGN KEY ("workspace_pk") REFERENCES "workspace"("pk") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "billing_account" ADD CONSTRAINT "billing_account_workspace_pk_fkey" FOREIGN KEY ("workspace_pk") REFERENCES "workspace"("pk") ON DELETE CASCADE ON UPDATE CASCADE;
