-- When the owners of a form were last told that its codes by SMS are not sent.
ALTER TABLE "form" ADD COLUMN "code_failure_told_at" TIMESTAMPTZ(3);
