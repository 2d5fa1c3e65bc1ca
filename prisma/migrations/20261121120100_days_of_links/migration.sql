-- Links with values of their own have them for days from `since` on, and for quarter hours from `slots_since` on, if
-- they are busy enough for that.
ALTER TABLE analytics.busy_link ADD COLUMN slots_since TIMESTAMPTZ(3);

UPDATE analytics.busy_link
SET slots_since = since;
