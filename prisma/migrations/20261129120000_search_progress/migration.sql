-- Texts of links of API keys are added after the links were created.
CREATE TABLE search_progress (
    workspace_pk integer NOT NULL,
    floor_id uuid NOT NULL,
    settled_id uuid NOT NULL,
    seen_id uuid NOT NULL,
    links integer DEFAULT 0 NOT NULL,
    CONSTRAINT search_progress_pkey PRIMARY KEY (workspace_pk),
    CONSTRAINT search_progress_workspace_pk_fkey FOREIGN KEY (workspace_pk) REFERENCES workspace(pk) ON UPDATE CASCADE ON DELETE CASCADE
);

CREATE TABLE search_horizon (
    "only" smallint DEFAULT 1 NOT NULL,
    settled_at timestamp(3) with time zone NOT NULL,
    marked_at timestamp(3) with time zone NOT NULL,
    marked_xid bigint NOT NULL,
    CONSTRAINT search_horizon_only CHECK (("only" = 1)),
    CONSTRAINT search_horizon_pkey PRIMARY KEY ("only")
);
