-- When a workspace is told that its clicks rise or fall, and when it was told last.
CREATE TABLE traffic_alert (
    workspace_pk integer NOT NULL,
    rise_times smallint,
    fall_percent smallint,
    rise_told_at timestamp(3) with time zone,
    fall_told_at timestamp(3) with time zone,
    CONSTRAINT traffic_alert_pkey PRIMARY KEY (workspace_pk)
);
ALTER TABLE traffic_alert ADD CONSTRAINT traffic_alert_workspace_pk_fkey
    FOREIGN KEY (workspace_pk) REFERENCES workspace (pk) ON UPDATE CASCADE ON DELETE CASCADE;

-- Since when a domain that answered before does not, and when its workspace was told last.
ALTER TABLE domain_health ADD COLUMN answered_at timestamp(3) with time zone;
ALTER TABLE domain_health ADD COLUMN silent_since timestamp(3) with time zone;
ALTER TABLE domain_health ADD COLUMN silent_told_at timestamp(3) with time zone;
