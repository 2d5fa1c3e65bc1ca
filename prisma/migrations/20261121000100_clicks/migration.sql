CREATE SCHEMA "analytics";

-- One row a stream shard; ingest holds its lock, so that one worker at a time reads a shard.
CREATE TABLE analytics.shard (
    shard SMALLINT PRIMARY KEY,
    ingested_at TIMESTAMPTZ(3)
);

-- Groups of clicks that were counted. A second delivery finds its row here and changes nothing.
CREATE TABLE analytics.click_group (
    producer UUID NOT NULL,
    number BIGINT NOT NULL,
    at TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    PRIMARY KEY (producer, number)
);

CREATE INDEX click_group_at ON analytics.click_group USING brin (at);

-- Secrets of a day: visitors are hashed with the salt, addresses encrypted with the key; both erased after 48 hours.
CREATE TABLE analytics.day_secret (
    day DATE PRIMARY KEY,
    salt BYTEA NOT NULL,
    key BYTEA NOT NULL
);

-- Raw clicks by day. Partitions are made ahead and dropped by retention.
CREATE TABLE analytics.click (
    at TIMESTAMPTZ(3) NOT NULL,
    link_pk BIGINT NOT NULL,
    workspace_pk INTEGER NOT NULL,
    domain_pk INTEGER NOT NULL,
    bot BOOLEAN NOT NULL,
    qr BOOLEAN NOT NULL,
    first_of_link BOOLEAN NOT NULL,
    first_of_workspace BOOLEAN NOT NULL,
    id UUID NOT NULL,
    visitor BIGINT,
    continent TEXT,
    country TEXT,
    region TEXT,
    city TEXT,
    device TEXT,
    browser TEXT,
    os TEXT,
    language TEXT,
    referer TEXT,
    referer_url TEXT,
    utm_source TEXT,
    utm_medium TEXT,
    utm_campaign TEXT,
    utm_term TEXT,
    utm_content TEXT,
    url TEXT,
    ua TEXT
) PARTITION BY RANGE (at);

CREATE INDEX click_link ON analytics.click (link_pk, at);

CREATE INDEX click_workspace ON analytics.click (workspace_pk, at);

-- Who was seen today, on a link (its pk) and in the workspace (link -1).
CREATE TABLE analytics.visitor (
    day DATE NOT NULL,
    workspace_pk INTEGER NOT NULL,
    link_pk BIGINT NOT NULL,
    visitor BIGINT NOT NULL,
    PRIMARY KEY (day, workspace_pk, link_pk, visitor)
) PARTITION BY RANGE (day);

-- What could not be stored, without any address.
CREATE TABLE analytics.dead_click (
    pk BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    reason TEXT NOT NULL,
    event TEXT NOT NULL
);

-- Quarter hours of a workspace that clicks touched since they were last rolled up.
CREATE TABLE analytics.touched_slot (
    workspace_pk INTEGER NOT NULL,
    slot TIMESTAMPTZ(3) NOT NULL,
    marks BIGINT NOT NULL DEFAULT 1,
    PRIMARY KEY (workspace_pk, slot)
);

-- Totals per link and quarter hour, derived from raw clicks and replaceable at any time.
CREATE TABLE analytics.link_slot (
    link_pk BIGINT NOT NULL,
    slot TIMESTAMPTZ(3) NOT NULL,
    workspace_pk INTEGER NOT NULL,
    clicks INTEGER NOT NULL,
    visitors INTEGER NOT NULL,
    scans INTEGER NOT NULL,
    bots INTEGER NOT NULL,
    PRIMARY KEY (link_pk, slot)
);

CREATE INDEX link_slot_workspace ON analytics.link_slot (workspace_pk, slot);

-- Each dimension per workspace and quarter hour; the dimension "total" has the one value ''.
CREATE TABLE analytics.workspace_slot (
    workspace_pk INTEGER NOT NULL,
    slot TIMESTAMPTZ(3) NOT NULL,
    dimension TEXT NOT NULL,
    value TEXT NOT NULL,
    clicks INTEGER NOT NULL,
    visitors INTEGER NOT NULL,
    scans INTEGER NOT NULL,
    bots INTEGER NOT NULL,
    PRIMARY KEY (workspace_pk, dimension, slot, value)
);
