-- Messages that are sent again are taken before those that were never sent.
CREATE INDEX campaign_send_later ON campaign_send (campaign_pk, due_at, "position") WHERE (state = 'later'::text);
