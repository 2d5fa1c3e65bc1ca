-- The OpenID provider at which members of a workspace sign in, and the email domains that it may speak for.
CREATE TABLE sso_provider (
    pk serial,
    id text NOT NULL,
    workspace_pk integer NOT NULL,
    name text NOT NULL,
    issuer text NOT NULL,
    client_id text NOT NULL,
    sealed bytea NOT NULL,
    scope text NOT NULL,
    groups_claim text NOT NULL,
    default_role text NOT NULL,
    group_roles jsonb DEFAULT '[]'::jsonb NOT NULL,
    joins boolean DEFAULT false NOT NULL,
    required boolean DEFAULT false NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    CONSTRAINT sso_provider_pkey PRIMARY KEY (pk)
);
CREATE UNIQUE INDEX sso_provider_id_key ON sso_provider (id);
CREATE UNIQUE INDEX sso_provider_workspace_pk_key ON sso_provider (workspace_pk);
ALTER TABLE sso_provider ADD CONSTRAINT sso_provider_workspace_pk_fkey
    FOREIGN KEY (workspace_pk) REFERENCES workspace (pk) ON UPDATE CASCADE ON DELETE CASCADE;

CREATE TABLE sso_domain (
    provider_pk integer NOT NULL,
    host text NOT NULL,
    token text NOT NULL,
    proven_at timestamp(3) with time zone,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    CONSTRAINT sso_domain_pkey PRIMARY KEY (provider_pk, host)
);
CREATE UNIQUE INDEX sso_domain_proven ON sso_domain (host) WHERE (proven_at IS NOT NULL);
ALTER TABLE sso_domain ADD CONSTRAINT sso_domain_provider_pk_fkey
    FOREIGN KEY (provider_pk) REFERENCES sso_provider (pk) ON UPDATE CASCADE ON DELETE CASCADE;

-- A session of a workspace's provider opens that workspace only, so it is deleted with the provider.
ALTER TABLE session ADD COLUMN sso_provider_pk integer;
ALTER TABLE session ADD COLUMN oidc_subject text;
ALTER TABLE session ADD COLUMN oidc_sid text;
ALTER TABLE session ADD COLUMN oidc_sealed bytea;
ALTER TABLE session ADD COLUMN oidc_check_at timestamp(3) with time zone;
ALTER TABLE session ADD COLUMN oidc_seen_at timestamp(3) with time zone;
-- Workspaces that an owner opened although they require single sign-on.
ALTER TABLE session ADD COLUMN sso_exceptions integer[] DEFAULT ARRAY[]::integer[];
ALTER TABLE session ADD CONSTRAINT session_sso_provider_pk_fkey
    FOREIGN KEY (sso_provider_pk) REFERENCES sso_provider (pk) ON UPDATE CASCADE ON DELETE CASCADE;
CREATE INDEX session_sso_provider_pk_idx ON session (sso_provider_pk) WHERE (sso_provider_pk IS NOT NULL);
CREATE INDEX session_oidc_subject ON session (oidc_subject) WHERE (oidc_subject IS NOT NULL);
CREATE INDEX session_oidc_sid ON session (oidc_sid) WHERE (oidc_sid IS NOT NULL);
CREATE INDEX session_oidc_check ON session (oidc_check_at) WHERE (oidc_check_at IS NOT NULL);
