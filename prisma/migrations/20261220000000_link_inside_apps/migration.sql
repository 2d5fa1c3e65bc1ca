-- What visitors get in the in-app browser of an app. Null: the destination.
ALTER TABLE "link" ADD COLUMN "inside_apps" JSONB;
