-- Why a click is no person's: crawler, preview, scanner, program, silent, head, repeat. Null for people.
ALTER TABLE analytics.click ADD COLUMN bot_kind TEXT;

-- Repetitions of one visitor within these seconds on one link are counted apart; null: every visit counts.
ALTER TABLE "workspace" ADD COLUMN "repeat_seconds" INTEGER;

-- When a visitor last counted on a link, in workspaces that count repetitions apart. Dropped by the day like visitors.
CREATE TABLE analytics.counted_visit (
    day DATE NOT NULL,
    link_pk BIGINT NOT NULL,
    visitor BIGINT NOT NULL,
    at TIMESTAMPTZ(3) NOT NULL,
    PRIMARY KEY (day, link_pk, visitor)
) PARTITION BY RANGE (day);

-- Rollups are derived from raw clicks, so the ones that other columns described are made anew.
DROP TABLE analytics.link_slot;
DROP TABLE analytics.workspace_slot;

CREATE TYPE analytics.dimension AS ENUM (
    'total', 'continent', 'country', 'region', 'city', 'device', 'browser', 'os', 'trigger', 'referer', 'referer_url',
    'utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content', 'language', 'domain', 'url', 'bot', 'hour'
);

-- Totals of a link in a quarter hour. A link that moves to another workspace in its middle has two rows.
CREATE TABLE analytics.link_slot (
    start TIMESTAMPTZ(3) NOT NULL,
    link_pk BIGINT NOT NULL,
    workspace_pk INTEGER NOT NULL,
    clicks INTEGER NOT NULL,
    visitors INTEGER NOT NULL,
    workspace_visitors INTEGER NOT NULL,
    scans INTEGER NOT NULL,
    bots INTEGER NOT NULL,
    PRIMARY KEY (link_pk, start, workspace_pk)
) PARTITION BY RANGE (start);

CREATE INDEX link_slot_workspace ON analytics.link_slot (workspace_pk, start);

-- Values of every dimension in a quarter hour: of a workspace (link_pk -1), and of each of its busy links.
CREATE TABLE analytics.value_slot (
    start TIMESTAMPTZ(3) NOT NULL,
    link_pk BIGINT NOT NULL,
    workspace_pk INTEGER NOT NULL,
    dimension analytics.dimension NOT NULL,
    clicks INTEGER NOT NULL,
    visitors INTEGER NOT NULL,
    scans INTEGER NOT NULL,
    bots INTEGER NOT NULL,
    value TEXT NOT NULL
) PARTITION BY RANGE (start);

-- Not unique, and without the value: some values are longer than an index takes.
CREATE INDEX value_slot_of ON analytics.value_slot (workspace_pk, link_pk, dimension, start);

-- The same for days of the workspace's reporting zone, derived from slots.
CREATE TABLE analytics.link_day (LIKE analytics.link_slot INCLUDING ALL) PARTITION BY RANGE (start);
CREATE TABLE analytics.value_day (LIKE analytics.value_slot INCLUDING ALL) PARTITION BY RANGE (start);

-- Days that have rollups: where they begin and end, and the zone whose days they are.
CREATE TABLE analytics.rolled_day (
    workspace_pk INTEGER NOT NULL,
    start TIMESTAMPTZ(3) NOT NULL,
    until TIMESTAMPTZ(3) NOT NULL,
    zone TEXT NOT NULL,
    PRIMARY KEY (workspace_pk, start)
);

-- Days of which a slot was rolled since they were rolled themselves.
CREATE TABLE analytics.touched_day (
    workspace_pk INTEGER NOT NULL,
    start TIMESTAMPTZ(3) NOT NULL,
    until TIMESTAMPTZ(3) NOT NULL,
    zone TEXT NOT NULL,
    marks BIGINT NOT NULL DEFAULT 1,
    PRIMARY KEY (workspace_pk, start)
);

-- Links with rollups of their own dimensions, from this slot on.
CREATE TABLE analytics.busy_link (
    link_pk BIGINT PRIMARY KEY,
    workspace_pk INTEGER NOT NULL,
    since TIMESTAMPTZ(3) NOT NULL
);

CREATE INDEX busy_link_workspace ON analytics.busy_link (workspace_pk);

-- Everything that has raw clicks is rolled anew.
INSERT INTO analytics.touched_slot (workspace_pk, slot)
SELECT DISTINCT workspace_pk, date_bin('15 minutes', at, 'epoch')
FROM analytics.click
ON CONFLICT (workspace_pk, slot) DO NOTHING;

-- Links and workspaces that were deleted, until nothing is left of their statistics.
CREATE TABLE analytics.erasure (
    pk BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    workspace_pk INTEGER NOT NULL,
    -- Null: the whole workspace.
    link_pk BIGINT,
    due_at TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    -- Events that were on their way come later; the last round is after those that are still accepted.
    rounds SMALLINT NOT NULL DEFAULT 0
);

CREATE INDEX erasure_due ON analytics.erasure (due_at);

CREATE FUNCTION analytics.note_deleted_links() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO analytics.erasure (workspace_pk, link_pk)
    SELECT workspace_pk, pk
    FROM gone
    WHERE workspace_pk IS NOT NULL;
    RETURN NULL;
END
$$;

CREATE TRIGGER erasure_of_links
AFTER DELETE ON "link"
REFERENCING OLD TABLE AS gone
FOR EACH STATEMENT EXECUTE FUNCTION analytics.note_deleted_links();

CREATE FUNCTION analytics.note_deleted_workspaces() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO analytics.erasure (workspace_pk)
    SELECT pk
    FROM gone;
    RETURN NULL;
END
$$;

CREATE TRIGGER erasure_of_workspaces
AFTER DELETE ON "workspace"
REFERENCING OLD TABLE AS gone
FOR EACH STATEMENT EXECUTE FUNCTION analytics.note_deleted_workspaces();
