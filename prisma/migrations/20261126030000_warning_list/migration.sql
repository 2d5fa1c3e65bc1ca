-- The warning list of the instance: visitors see a page before its hosts.
ALTER TABLE "destination_list" DROP CONSTRAINT "destination_list_kind";
ALTER TABLE "destination_list" ADD CONSTRAINT "destination_list_kind"
  CHECK ("kind" IN ('allow', 'block') OR ("kind" = 'warn' AND "workspace_pk" IS NULL));
