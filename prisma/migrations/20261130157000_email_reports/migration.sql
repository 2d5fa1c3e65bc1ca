-- Reports by email, who gets them, and what became of each email.
CREATE TABLE report_subscription (
    pk serial,
    id text NOT NULL,
    workspace_pk integer NOT NULL,
    user_pk integer,
    kind text NOT NULL,
    subject_id text,
    frequency text NOT NULL,
    locale text NOT NULL,
    next_at timestamp(3) with time zone NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    CONSTRAINT report_subscription_pkey PRIMARY KEY (pk)
);
CREATE UNIQUE INDEX report_subscription_id_key ON report_subscription (id);
CREATE INDEX report_subscription_workspace_pk_idx ON report_subscription (workspace_pk);
CREATE INDEX report_subscription_next_at_idx ON report_subscription (next_at);
ALTER TABLE report_subscription ADD CONSTRAINT report_subscription_workspace_pk_fkey
    FOREIGN KEY (workspace_pk) REFERENCES workspace (pk) ON UPDATE CASCADE ON DELETE CASCADE;

CREATE TABLE report_recipient (
    pk serial,
    id uuid NOT NULL,
    subscription_pk integer NOT NULL,
    user_pk integer,
    email text,
    added_by integer,
    asked_at timestamp(3) with time zone,
    confirmed_at timestamp(3) with time zone,
    stopped_at timestamp(3) with time zone,
    CONSTRAINT report_recipient_pkey PRIMARY KEY (pk)
);
CREATE UNIQUE INDEX report_recipient_id_key ON report_recipient (id);
CREATE UNIQUE INDEX report_recipient_member ON report_recipient (subscription_pk, user_pk);
CREATE UNIQUE INDEX report_recipient_address ON report_recipient (subscription_pk, email);
CREATE INDEX report_recipient_user_pk_idx ON report_recipient (user_pk);
ALTER TABLE report_recipient ADD CONSTRAINT report_recipient_subscription_pk_fkey
    FOREIGN KEY (subscription_pk) REFERENCES report_subscription (pk) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE report_recipient ADD CONSTRAINT report_recipient_user_pk_fkey
    FOREIGN KEY (user_pk) REFERENCES app_user (pk) ON UPDATE CASCADE ON DELETE CASCADE;

CREATE TABLE report_delivery (
    pk bigserial,
    subscription_pk integer NOT NULL,
    recipient_pk integer,
    address_hash bytea NOT NULL,
    starts_on date NOT NULL,
    ends_on date NOT NULL,
    state text NOT NULL,
    reason text,
    attempts smallint DEFAULT 0 NOT NULL,
    due_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    attempted_at timestamp(3) with time zone,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    CONSTRAINT report_delivery_pkey PRIMARY KEY (pk)
);
-- One email per report, address and period.
CREATE UNIQUE INDEX report_delivery_once ON report_delivery (subscription_pk, address_hash, starts_on, ends_on);
CREATE INDEX report_delivery_open ON report_delivery (due_at) WHERE (state = ANY (ARRAY['due'::text, 'sending'::text]));
CREATE INDEX report_delivery_recipient_pk_idx ON report_delivery (recipient_pk);
ALTER TABLE report_delivery ADD CONSTRAINT report_delivery_subscription_pk_fkey
    FOREIGN KEY (subscription_pk) REFERENCES report_subscription (pk) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE report_delivery ADD CONSTRAINT report_delivery_recipient_pk_fkey
    FOREIGN KEY (recipient_pk) REFERENCES report_recipient (pk) ON UPDATE CASCADE ON DELETE SET NULL;
