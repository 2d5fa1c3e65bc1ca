-- A domain that moves on twice in a minute leaves two workspaces to clear.
ALTER TABLE "domain_clearing" DROP CONSTRAINT "domain_clearing_pkey",
    ADD CONSTRAINT "domain_clearing_pkey" PRIMARY KEY ("domain_pk", "workspace_pk");
