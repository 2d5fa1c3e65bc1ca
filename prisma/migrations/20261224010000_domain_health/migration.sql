-- What is known about a domain, of one workspace under one name: after a transfer or a rename it starts over.
CREATE TABLE "domain_health" (
    "domain_pk" INTEGER NOT NULL,
    "workspace_pk" INTEGER NOT NULL,
    "slug" TEXT NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "probe" JSONB,
    "probed_at" TIMESTAMPTZ(3),
    "checker" JSONB,
    "checker_at" TIMESTAMPTZ(3),
    "checker_due_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "apps" JSONB,
    "judged_day" DATE,
    "judged_at" TIMESTAMPTZ(3),

    CONSTRAINT "domain_health_pkey" PRIMARY KEY ("domain_pk")
);

CREATE INDEX "domain_health_due" ON "domain_health"("due_at");

CREATE TABLE "domain_alarm" (
    "pk" BIGSERIAL NOT NULL,
    "domain_pk" INTEGER NOT NULL,
    "workspace_pk" INTEGER NOT NULL,
    "slug" TEXT NOT NULL,
    "app" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "since" DATE NOT NULL,
    "evidence" JSONB,
    "found_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "dismissed_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "domain_alarm_pkey" PRIMARY KEY ("pk")
);

CREATE UNIQUE INDEX "domain_alarm_open" ON "domain_alarm"("domain_pk", "app") WHERE (ended_at IS NULL);

CREATE INDEX "domain_alarm_ended" ON "domain_alarm"("ended_at") WHERE (ended_at IS NOT NULL);

ALTER TABLE "domain_health" ADD CONSTRAINT "domain_health_domain_pk_fkey" FOREIGN KEY ("domain_pk") REFERENCES "domain"("pk") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "domain_alarm" ADD CONSTRAINT "domain_alarm_domain_pk_fkey" FOREIGN KEY ("domain_pk") REFERENCES "domain"("pk") ON DELETE CASCADE ON UPDATE CASCADE;
