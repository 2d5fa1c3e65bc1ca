-- When a person first clicked a link. Links that were clicked before have none.
ALTER TABLE "link_stat" ADD COLUMN "first_click_at" TIMESTAMPTZ(3);
