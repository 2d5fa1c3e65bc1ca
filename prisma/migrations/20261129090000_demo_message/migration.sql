-- Messages that the demo gateway took instead of sending them. Only the demo workspace has such a gateway.
CREATE TABLE demo_message (
    pk bigserial,
    id uuid NOT NULL,
    workspace_pk integer NOT NULL,
    phone_hash bytea NOT NULL,
    key_version smallint NOT NULL,
    sealed bytea NOT NULL,
    sent_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    CONSTRAINT demo_message_pkey PRIMARY KEY (pk)
);
CREATE INDEX demo_message_list ON demo_message (workspace_pk, pk DESC);
ALTER TABLE demo_message
    ADD CONSTRAINT demo_message_workspace_pk_fkey FOREIGN KEY (workspace_pk) REFERENCES workspace(pk) ON UPDATE CASCADE ON DELETE CASCADE;
