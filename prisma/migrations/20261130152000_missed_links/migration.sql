-- Visits of names without a link, per domain and UTC day. With the workspace, because a domain can be transferred.
CREATE TABLE missed_day (
    domain_pk integer NOT NULL REFERENCES domain (pk) ON DELETE CASCADE ON UPDATE CASCADE,
    day date NOT NULL,
    workspace_pk integer NOT NULL,
    visits bigint NOT NULL,
    others bigint NOT NULL,
    bots bigint NOT NULL,
    keys integer NOT NULL,
    CONSTRAINT missed_day_pkey PRIMARY KEY (domain_pk, day, workspace_pk)
);

CREATE TABLE missed_link (
    domain_pk integer NOT NULL,
    day date NOT NULL,
    workspace_pk integer NOT NULL,
    key text NOT NULL,
    visits bigint NOT NULL,
    error bigint,
    last_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT missed_link_pkey PRIMARY KEY (domain_pk, day, workspace_pk, key),
    CONSTRAINT missed_link_day_fkey FOREIGN KEY (domain_pk, day, workspace_pk)
        REFERENCES missed_day (domain_pk, day, workspace_pk) ON DELETE CASCADE ON UPDATE CASCADE
);
