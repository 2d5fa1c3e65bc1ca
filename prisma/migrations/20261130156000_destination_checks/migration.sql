-- What is known about the destinations of visited links, one row per workspace and page.
CREATE TABLE destination_check (
    workspace_pk integer NOT NULL REFERENCES workspace (pk) ON DELETE CASCADE ON UPDATE CASCADE,
    url_hash bytea NOT NULL,
    url text NOT NULL,
    host text NOT NULL,
    link_pk bigint NOT NULL,
    visited_at timestamptz(3) NOT NULL,
    state text NOT NULL DEFAULT 'unchecked',
    status smallint,
    redirects_to text,
    failure text,
    failing_since timestamptz(3),
    checked_at timestamptz(3),
    told_at timestamptz(3),
    next_at timestamptz(3) NOT NULL DEFAULT now(),
    CONSTRAINT destination_check_pkey PRIMARY KEY (workspace_pk, url_hash)
);

CREATE INDEX destination_check_due ON destination_check (next_at);

CREATE INDEX destination_check_broken ON destination_check (workspace_pk, host)
    WHERE state IN ('server_error', 'not_found', 'certificate', 'dns', 'timeout', 'unreachable');

-- How far the walk through visited links is.
CREATE TABLE destination_walk (
    pk smallint NOT NULL DEFAULT 1,
    walked_pk bigint NOT NULL DEFAULT -1,
    walk_at timestamptz(3) NOT NULL DEFAULT now(),
    CONSTRAINT destination_walk_pkey PRIMARY KEY (pk)
);
