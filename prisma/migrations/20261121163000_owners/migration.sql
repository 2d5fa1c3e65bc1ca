-- What the links of a tag or a folder have together, per day and month: sums of link_day and link_month. A tag says
-- something of all clicks of its links, also of those before it was given, so these sums follow when a link changes its
-- tags or its folder.
CREATE TYPE analytics.owner_kind AS ENUM ('tag', 'folder');

CREATE TABLE analytics.owner_day (
    workspace_pk INTEGER NOT NULL,
    kind analytics.owner_kind NOT NULL,
    start TIMESTAMPTZ(3) NOT NULL,
    owner_pk INTEGER NOT NULL,
    clicks BIGINT NOT NULL,
    visitors BIGINT NOT NULL,
    bots BIGINT NOT NULL,
    PRIMARY KEY (workspace_pk, kind, start, owner_pk)
);
CREATE TABLE analytics.owner_month (LIKE analytics.owner_day INCLUDING ALL);

-- Links that came to an owner (1) or left it (-1) since its sums were made.
CREATE TABLE analytics.moved_link (
    pk BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    workspace_pk INTEGER NOT NULL,
    kind analytics.owner_kind NOT NULL,
    link_pk BIGINT NOT NULL,
    owner_pk INTEGER NOT NULL,
    step SMALLINT NOT NULL
);
CREATE INDEX moved_link_workspace ON analytics.moved_link (workspace_pk, pk);
CREATE INDEX moved_link_link ON analytics.moved_link (link_pk);

-- Noted by the database, so that no way of changing tags forgets it. A link that is seconds old has no clicks in any
-- rolled day: days are rolled a minute after they are over. An owner that is gone has no sums that anybody reads. What a
-- backup brings back has its sums beside it (scripts/dump.ts).
CREATE FUNCTION analytics.note_tagged() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF current_setting('fuxi.restoring', true) = 'on' THEN
        RETURN NULL;
    END IF;
    INSERT INTO analytics.moved_link (workspace_pk, kind, link_pk, owner_pk, step)
    SELECT tag.workspace_pk, 'tag', changed.link_pk, changed.tag_pk, 1
    FROM changed
    JOIN tag ON tag.pk = changed.tag_pk
    JOIN link ON link.pk = changed.link_pk
    WHERE link.created_at < now() - interval '5 seconds';
    RETURN NULL;
END
$$;

CREATE FUNCTION analytics.note_untagged() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF current_setting('fuxi.restoring', true) = 'on' THEN
        RETURN NULL;
    END IF;
    INSERT INTO analytics.moved_link (workspace_pk, kind, link_pk, owner_pk, step)
    SELECT tag.workspace_pk, 'tag', changed.link_pk, changed.tag_pk, -1
    FROM changed
    JOIN tag ON tag.pk = changed.tag_pk;
    RETURN NULL;
END
$$;

CREATE TRIGGER moves_of_tagged
AFTER INSERT ON "link_tag"
REFERENCING NEW TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION analytics.note_tagged();

CREATE TRIGGER moves_of_untagged
AFTER DELETE ON "link_tag"
REFERENCING OLD TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION analytics.note_untagged();

-- A row at a time, because conditions are not possible otherwise; most changes of links leave the folder as it is.
CREATE FUNCTION analytics.note_folder() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF current_setting('fuxi.restoring', true) = 'on' THEN
        RETURN NULL;
    END IF;
    IF TG_OP <> 'INSERT' THEN
        INSERT INTO analytics.moved_link (workspace_pk, kind, link_pk, owner_pk, step)
        SELECT workspace_pk, 'folder', OLD.pk, pk, -1 FROM folder WHERE pk = OLD.folder_pk;
    END IF;
    IF TG_OP <> 'DELETE' THEN
        INSERT INTO analytics.moved_link (workspace_pk, kind, link_pk, owner_pk, step)
        SELECT workspace_pk, 'folder', NEW.pk, pk, 1 FROM folder WHERE pk = NEW.folder_pk;
    END IF;
    RETURN NULL;
END
$$;

CREATE TRIGGER moves_into_folder
AFTER INSERT ON "link"
FOR EACH ROW WHEN (NEW.folder_pk IS NOT NULL AND NEW.created_at < now() - interval '5 seconds')
EXECUTE FUNCTION analytics.note_folder();

CREATE TRIGGER moves_between_folders
AFTER UPDATE ON "link"
FOR EACH ROW WHEN (OLD.folder_pk IS DISTINCT FROM NEW.folder_pk)
EXECUTE FUNCTION analytics.note_folder();

CREATE TRIGGER moves_out_of_folder
AFTER DELETE ON "link"
FOR EACH ROW WHEN (OLD.folder_pk IS NOT NULL)
EXECUTE FUNCTION analytics.note_folder();

-- Days and months that are there.
INSERT INTO analytics.owner_day (workspace_pk, kind, start, owner_pk, clicks, visitors, bots)
SELECT kept.workspace_pk, 'tag'::analytics.owner_kind, kept.start, tag.pk, sum(clicks), sum(workspace_visitors), sum(bots)
FROM analytics.link_day AS kept
JOIN link_tag USING (link_pk)
JOIN tag ON tag.pk = link_tag.tag_pk AND tag.workspace_pk = kept.workspace_pk
GROUP BY kept.workspace_pk, kept.start, tag.pk
UNION ALL
SELECT kept.workspace_pk, 'folder', kept.start, folder.pk, sum(clicks), sum(workspace_visitors), sum(bots)
FROM analytics.link_day AS kept
JOIN link ON link.pk = kept.link_pk
JOIN folder ON folder.pk = link.folder_pk AND folder.workspace_pk = kept.workspace_pk
GROUP BY kept.workspace_pk, kept.start, folder.pk;

INSERT INTO analytics.owner_month (workspace_pk, kind, start, owner_pk, clicks, visitors, bots)
SELECT day.workspace_pk, day.kind, month.start, day.owner_pk, sum(clicks), sum(visitors), sum(bots)
FROM analytics.owner_day AS day
JOIN analytics.rolled_month AS month
    ON month.workspace_pk = day.workspace_pk
    AND month.start <= day.start
    AND month.until > day.start
GROUP BY day.workspace_pk, day.kind, month.start, day.owner_pk;
