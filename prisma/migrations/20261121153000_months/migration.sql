-- Months of the workspace's reporting zone: sums of their rolled days, of the running month as far as they go.
CREATE TABLE analytics.link_month (LIKE analytics.link_day INCLUDING ALL) PARTITION BY RANGE (start);
CREATE TABLE analytics.value_month (LIKE analytics.value_day INCLUDING ALL) PARTITION BY RANGE (start);

-- Months that have rollups: where they begin, how far they go, and the zone whose months they are.
CREATE TABLE analytics.rolled_month (
    workspace_pk INTEGER NOT NULL,
    start TIMESTAMPTZ(3) NOT NULL,
    until TIMESTAMPTZ(3) NOT NULL,
    zone TEXT NOT NULL,
    PRIMARY KEY (workspace_pk, start)
);

-- Months of which a day was rolled since they were rolled themselves.
CREATE TABLE analytics.touched_month (
    workspace_pk INTEGER NOT NULL,
    start TIMESTAMPTZ(3) NOT NULL,
    until TIMESTAMPTZ(3) NOT NULL,
    zone TEXT NOT NULL,
    PRIMARY KEY (workspace_pk, start)
);

-- The most clicked of a day or a month are read in order, and the values that were found are looked up by their hash:
-- some are longer than an index takes.
CREATE INDEX link_day_top ON analytics.link_day (workspace_pk, start, clicks DESC);
CREATE INDEX link_month_top ON analytics.link_month (workspace_pk, start, clicks DESC);
CREATE INDEX value_day_top ON analytics.value_day (workspace_pk, link_pk, dimension, start, clicks DESC);
CREATE INDEX value_month_top ON analytics.value_month (workspace_pk, link_pk, dimension, start, clicks DESC);
CREATE INDEX value_day_hash ON analytics.value_day (workspace_pk, link_pk, dimension, hashtextextended(value, 0), start);
CREATE INDEX value_month_hash ON analytics.value_month (workspace_pk, link_pk, dimension, hashtextextended(value, 0), start);

-- What they do besides is what these did.
DROP INDEX analytics.link_day_workspace_pk_start_idx;
DROP INDEX analytics.link_month_workspace_pk_start_idx;
DROP INDEX analytics.value_day_workspace_pk_link_pk_dimension_start_idx;
DROP INDEX analytics.value_month_workspace_pk_link_pk_dimension_start_idx;

-- Months that are there are made of the days that are.
INSERT INTO analytics.touched_month (workspace_pk, start, until, zone)
SELECT DISTINCT
    workspace_pk,
    date_trunc('month', start, zone),
    (date_trunc('month', start AT TIME ZONE zone) + interval '1 month') AT TIME ZONE zone,
    zone
FROM analytics.rolled_day
ON CONFLICT (workspace_pk, start) DO NOTHING;
