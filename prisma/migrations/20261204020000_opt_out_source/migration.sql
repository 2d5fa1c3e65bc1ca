-- Where an opt-out comes from. Earlier ones have none.
ALTER TABLE "opt_out"
  ADD COLUMN "source" TEXT,
  ADD CONSTRAINT "opt_out_source" CHECK ("source" IN ('added', 'page', 'reply', 'gateway'));
