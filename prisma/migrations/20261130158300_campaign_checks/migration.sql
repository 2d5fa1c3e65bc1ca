-- Campaigns may have their destination checked: one page stands for all links of a campaign.
ALTER TABLE campaign ADD COLUMN check_destination boolean NOT NULL DEFAULT false;
ALTER TABLE destination_check ADD COLUMN campaign_pk integer;

-- Finds the links to a page by its URL without a fragment, as link_url finds the others. Few URLs have a fragment.
CREATE INDEX link_fragment ON link (hashtextextended(split_part(url, '#', 1), workspace_pk)) WHERE url LIKE '%#%';
