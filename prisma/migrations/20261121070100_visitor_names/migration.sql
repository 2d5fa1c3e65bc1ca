-- Who was seen on a day, each under one number for the workspace and one for every link (lib/ingest/visitors.ts). Half
-- as wide as workspace, link and visitor were, and only ever asked as a whole.
DROP TABLE analytics.visitor;

CREATE TABLE analytics.visitor (
    day DATE NOT NULL,
    name BIGINT NOT NULL,
    PRIMARY KEY (day, name)
) PARTITION BY RANGE (day);
