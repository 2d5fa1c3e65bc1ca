-- The whole schema of Fuxi, as the 104 migrations of its development left it. prisma/baseline.ts recognizes databases
-- that have those instead.

-- Schemas, extensions, types and functions

CREATE SCHEMA analytics;

CREATE EXTENSION IF NOT EXISTS btree_gin;

CREATE EXTENSION IF NOT EXISTS pg_trgm;

CREATE TYPE analytics.dimension AS ENUM (
    'total',
    'continent',
    'country',
    'region',
    'city',
    'device',
    'browser',
    'os',
    'trigger',
    'referer',
    'referer_url',
    'utm_source',
    'utm_medium',
    'utm_campaign',
    'utm_term',
    'utm_content',
    'language',
    'domain',
    'url',
    'bot',
    'hour',
    'domain_app'
);

CREATE TYPE analytics.owner_kind AS ENUM (
    'tag',
    'folder'
);

-- Adds days and months to the local time of a zone, hours to the moment itself.
CREATE FUNCTION add_in_zone(at timestamp with time zone, step interval, zone text) RETURNS timestamp with time zone
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
  SELECT CASE
    WHEN date_trunc('day', step) = INTERVAL '0' THEN at + step
    ELSE (at AT TIME ZONE zone + date_trunc('day', step)) AT TIME ZONE zone + (step - date_trunc('day', step))
  END
$$;

-- 0 without clicks, else one more than the logarithm to the base 4: never smaller for more clicks.
CREATE FUNCTION click_level(clicks bigint) RETURNS smallint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN (clicks > 0) THEN ((1)::double precision + floor((ln((clicks)::double precision) / ln((4)::double precision)))) ELSE (0)::double precision END;

-- Whether links are distributed over Citus. db:distribute replaces it.
CREATE FUNCTION links_distributed() RETURNS boolean
    LANGUAGE sql STABLE
    AS $$ SELECT false $$;

-- Locks links in the order of their pks, one at a time, because Citus refuses to lock rows of several servers in one
-- statement. Returns the pks that exist; without waiting, only those nobody else has locked.
CREATE FUNCTION lock_links(pks bigint[], strength text, waits boolean) RETURNS SETOF bigint
    LANGUAGE plpgsql
    AS $$
DECLARE
    wanted BIGINT;
BEGIN
    FOR wanted IN SELECT DISTINCT unnest(pks) ORDER BY 1 LOOP
        IF NOT waits THEN
            PERFORM 1 FROM link WHERE link.pk = wanted FOR UPDATE SKIP LOCKED;
        ELSIF strength = 'update' THEN
            PERFORM 1 FROM link WHERE link.pk = wanted FOR UPDATE;
        ELSIF strength = 'no key update' THEN
            PERFORM 1 FROM link WHERE link.pk = wanted FOR NO KEY UPDATE;
        ELSIF strength = 'share' THEN
            PERFORM 1 FROM link WHERE link.pk = wanted FOR SHARE;
        ELSE
            PERFORM 1 FROM link WHERE link.pk = wanted FOR KEY SHARE;
        END IF;
        IF FOUND THEN
            RETURN NEXT wanted;
        END IF;
    END LOOP;
END $$;

-- The starts of hours, days, weeks, months or years in a zone, from the one that contains the first moment.
CREATE FUNCTION starts_in_zone(unit text, first timestamp with time zone, last timestamp with time zone, zone text) RETURNS SETOF timestamp with time zone
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
  SELECT start
  FROM generate_series(date_trunc(unit, first, zone), last, INTERVAL '1 hour') AS start
  WHERE unit = 'hour'
  UNION ALL
  SELECT local AT TIME ZONE zone
  FROM generate_series(
    date_trunc(unit, first AT TIME ZONE zone),
    last AT TIME ZONE zone,
    ('1 ' || unit)::INTERVAL
  ) AS local
  WHERE unit <> 'hour'
$$;

-- Sequences without a column

-- Leases blocks of primary keys to Redis and to processes. Gaps are fine, duplicates are not.
CREATE SEQUENCE pk_block
    START WITH 0
    INCREMENT BY 1
    MINVALUE 0
    NO MAXVALUE
    CACHE 1;

-- Orders versions of cached redirects in Redis and in memory.
CREATE SEQUENCE revision
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

-- Tables, with their indexes

-- Counted visits, one partition per day. Partitions are created ahead, and retention drops them.
CREATE TABLE analytics.click (
    at timestamp(3) with time zone NOT NULL,
    link_pk bigint NOT NULL,
    workspace_pk integer NOT NULL,
    domain_pk integer NOT NULL,
    bot boolean NOT NULL,
    qr boolean NOT NULL,
    first_of_link boolean NOT NULL,
    first_of_workspace boolean NOT NULL,
    id uuid NOT NULL,
    visitor bigint,
    continent text,
    country text,
    region text,
    city text,
    device text,
    browser text,
    os text,
    language text,
    referer text,
    referer_url text,
    utm_source text,
    utm_medium text,
    utm_campaign text,
    utm_term text,
    utm_content text,
    url text,
    ua text,
    bot_kind text
) PARTITION BY RANGE (at);
CREATE INDEX click_link ON analytics.click (link_pk, at);
CREATE INDEX click_workspace ON analytics.click (workspace_pk, at);

-- Links with rollups of their own: for days from `since` on, for quarter hours from `slots_since` on.
CREATE TABLE analytics.busy_link (
    link_pk bigint NOT NULL,
    workspace_pk integer NOT NULL,
    since timestamp(3) with time zone NOT NULL,
    slots_since timestamp(3) with time zone,
    CONSTRAINT busy_link_pkey PRIMARY KEY (link_pk)
);
CREATE INDEX busy_link_workspace ON analytics.busy_link (workspace_pk);

-- Groups of clicks that were counted. A second delivery finds its row and changes nothing.
CREATE TABLE analytics.click_group (
    producer uuid NOT NULL,
    number bigint NOT NULL,
    at timestamp(3) with time zone DEFAULT now() NOT NULL,
    CONSTRAINT click_group_pkey PRIMARY KEY (producer, number)
);
CREATE INDEX click_group_at ON analytics.click_group USING brin (at);

-- A lead or a sale with what is known about its click, because clicks are kept for some months only. Columns of the
-- click have the same names as in analytics.click, so that the same SQL filters and groups both.
CREATE TABLE analytics.conversion (
    pk bigint GENERATED ALWAYS AS IDENTITY,
    at timestamp(3) with time zone NOT NULL,
    id uuid NOT NULL,
    workspace_pk integer NOT NULL,
    link_pk bigint NOT NULL,
    domain_pk integer NOT NULL,
    customer_pk bigint,
    verified boolean NOT NULL,
    sale boolean NOT NULL,
    first_sale boolean DEFAULT false NOT NULL,
    quantity integer DEFAULT 1 NOT NULL,
    event_name text NOT NULL,
    amount bigint DEFAULT 0 NOT NULL,
    given_amount bigint DEFAULT 0 NOT NULL,
    currency text,
    processor text,
    invoice_id text,
    key_version smallint,
    metadata bytea,
    click_at timestamp(3) with time zone NOT NULL,
    click_id uuid NOT NULL,
    qr boolean NOT NULL,
    continent text,
    country text,
    region text,
    city text,
    device text,
    browser text,
    os text,
    language text,
    referer text,
    referer_url text,
    utm_source text,
    utm_medium text,
    utm_campaign text,
    utm_term text,
    utm_content text,
    url text,
    CONSTRAINT conversion_pkey PRIMARY KEY (pk)
);
CREATE INDEX conversion_customer ON analytics.conversion (customer_pk);
-- A lead counts once per customer and event, a sale once per invoice.
CREATE UNIQUE INDEX conversion_invoice ON analytics.conversion (workspace_pk, invoice_id, verified) WHERE (invoice_id IS NOT NULL);
CREATE UNIQUE INDEX conversion_lead ON analytics.conversion (customer_pk, event_name) WHERE (NOT sale);
CREATE INDEX conversion_link ON analytics.conversion (link_pk, at);
CREATE INDEX conversion_workspace ON analytics.conversion (workspace_pk, at);

-- When a visitor last counted on a link, in workspaces that count repetitions apart.
CREATE TABLE analytics.counted_visit (
    day date NOT NULL,
    link_pk bigint NOT NULL,
    visitor bigint NOT NULL,
    at timestamp(3) with time zone NOT NULL,
    CONSTRAINT counted_visit_pkey PRIMARY KEY (day, link_pk, visitor)
) PARTITION BY RANGE (day);

-- Workers that count, and when each was last seen: shards are divided evenly among those seen lately.
CREATE TABLE analytics.counting_worker (
    id uuid NOT NULL,
    seen_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT counting_worker_pkey PRIMARY KEY (id)
);

-- Secrets of a day: visitors are hashed with the salt, addresses are encrypted with the key. Both are erased after 48 hours.
CREATE TABLE analytics.day_secret (
    day date NOT NULL,
    salt bytea NOT NULL,
    key bytea NOT NULL,
    CONSTRAINT day_secret_pkey PRIMARY KEY (day)
);

-- Clicks that could not be stored, without any address.
CREATE TABLE analytics.dead_click (
    pk bigint GENERATED ALWAYS AS IDENTITY,
    at timestamp(3) with time zone DEFAULT now() NOT NULL,
    reason text NOT NULL,
    event text NOT NULL,
    CONSTRAINT dead_click_pkey PRIMARY KEY (pk)
);

CREATE TABLE analytics.erasure (
    pk bigint GENERATED ALWAYS AS IDENTITY,
    workspace_pk integer NOT NULL,
    link_pk bigint,
    due_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    rounds smallint DEFAULT 0 NOT NULL,
    CONSTRAINT erasure_pkey PRIMARY KEY (pk)
);
CREATE INDEX erasure_due ON analytics.erasure (due_at);
-- Restoring a deleted link removes its row here.
CREATE INDEX erasure_link ON analytics.erasure (link_pk) WHERE (link_pk IS NOT NULL);

-- The same totals per day of the time zone of the workspace.
CREATE TABLE analytics.link_day (
    start timestamp(3) with time zone NOT NULL,
    link_pk bigint NOT NULL,
    workspace_pk integer NOT NULL,
    clicks integer NOT NULL,
    visitors integer NOT NULL,
    workspace_visitors integer NOT NULL,
    scans integer NOT NULL,
    bots integer NOT NULL,
    CONSTRAINT link_day_pkey PRIMARY KEY (link_pk, start, workspace_pk)
) PARTITION BY RANGE (start);
CREATE INDEX link_day_top ON analytics.link_day (workspace_pk, start, clicks DESC);

-- The same totals per month of the time zone: sums of rolled days. The running month goes as far as its days.
CREATE TABLE analytics.link_month (
    start timestamp(3) with time zone NOT NULL,
    link_pk bigint NOT NULL,
    workspace_pk integer NOT NULL,
    clicks integer NOT NULL,
    visitors integer NOT NULL,
    workspace_visitors integer NOT NULL,
    scans integer NOT NULL,
    bots integer NOT NULL,
    CONSTRAINT link_month_pkey PRIMARY KEY (link_pk, start, workspace_pk)
) PARTITION BY RANGE (start);
CREATE INDEX link_month_top ON analytics.link_month (workspace_pk, start, clicks DESC);

-- Totals of a link per quarter hour. A link that moves to another workspace in between has two rows.
CREATE TABLE analytics.link_slot (
    start timestamp(3) with time zone NOT NULL,
    link_pk bigint NOT NULL,
    workspace_pk integer NOT NULL,
    clicks integer NOT NULL,
    visitors integer NOT NULL,
    workspace_visitors integer NOT NULL,
    scans integer NOT NULL,
    bots integer NOT NULL,
    CONSTRAINT link_slot_pkey PRIMARY KEY (link_pk, start, workspace_pk)
) PARTITION BY RANGE (start);
CREATE INDEX link_slot_workspace ON analytics.link_slot (workspace_pk, start);

-- Links that came to a tag or folder (1) or left it (-1) since its totals were computed.
CREATE TABLE analytics.moved_link (
    pk bigint GENERATED ALWAYS AS IDENTITY,
    workspace_pk integer NOT NULL,
    kind analytics.owner_kind NOT NULL,
    link_pk bigint NOT NULL,
    owner_pk integer NOT NULL,
    step smallint NOT NULL,
    CONSTRAINT moved_link_pkey PRIMARY KEY (pk)
);
CREATE INDEX moved_link_link ON analytics.moved_link (link_pk);
CREATE INDEX moved_link_workspace ON analytics.moved_link (workspace_pk, pk);

-- Totals of all links of a tag or a folder. They cover all clicks of these links, also those before a link came to it,
-- so they change when a link changes its tags or its folder.
CREATE TABLE analytics.owner_day (
    workspace_pk integer NOT NULL,
    kind analytics.owner_kind NOT NULL,
    start timestamp(3) with time zone NOT NULL,
    owner_pk integer NOT NULL,
    clicks bigint NOT NULL,
    visitors bigint NOT NULL,
    bots bigint NOT NULL,
    CONSTRAINT owner_day_pkey PRIMARY KEY (workspace_pk, kind, start, owner_pk)
);

CREATE TABLE analytics.owner_month (
    workspace_pk integer NOT NULL,
    kind analytics.owner_kind NOT NULL,
    start timestamp(3) with time zone NOT NULL,
    owner_pk integer NOT NULL,
    clicks bigint NOT NULL,
    visitors bigint NOT NULL,
    bots bigint NOT NULL,
    CONSTRAINT owner_month_pkey PRIMARY KEY (workspace_pk, kind, start, owner_pk)
);

-- Days that have rollups: where they begin and end, and the time zone they belong to.
CREATE TABLE analytics.rolled_day (
    workspace_pk integer NOT NULL,
    start timestamp(3) with time zone NOT NULL,
    until timestamp(3) with time zone NOT NULL,
    zone text NOT NULL,
    CONSTRAINT rolled_day_pkey PRIMARY KEY (workspace_pk, start)
);

-- Months that have rollups: where they begin, how far they go, and their time zone.
CREATE TABLE analytics.rolled_month (
    workspace_pk integer NOT NULL,
    start timestamp(3) with time zone NOT NULL,
    until timestamp(3) with time zone NOT NULL,
    zone text NOT NULL,
    CONSTRAINT rolled_month_pkey PRIMARY KEY (workspace_pk, start)
);

-- One row per shard of the stream.
CREATE TABLE analytics.shard (
    shard smallint NOT NULL,
    ingested_at timestamp(3) with time zone,
    CONSTRAINT shard_pkey PRIMARY KEY (shard)
);

-- Which worker reads which shard, and until when.
CREATE TABLE analytics.shard_lease (
    shard smallint NOT NULL,
    worker uuid NOT NULL,
    until timestamp(3) with time zone NOT NULL,
    CONSTRAINT shard_lease_pkey PRIMARY KEY (shard)
);

-- Days with a slot that was rolled after the day itself.
CREATE TABLE analytics.touched_day (
    workspace_pk integer NOT NULL,
    start timestamp(3) with time zone NOT NULL,
    until timestamp(3) with time zone NOT NULL,
    zone text NOT NULL,
    marks bigint DEFAULT 1 NOT NULL,
    CONSTRAINT touched_day_pkey PRIMARY KEY (workspace_pk, start)
);

-- Months with a day that was rolled after the month itself.
CREATE TABLE analytics.touched_month (
    workspace_pk integer NOT NULL,
    start timestamp(3) with time zone NOT NULL,
    until timestamp(3) with time zone NOT NULL,
    zone text NOT NULL,
    CONSTRAINT touched_month_pkey PRIMARY KEY (workspace_pk, start)
);

-- Quarter hours with clicks that are not rolled up yet.
CREATE TABLE analytics.touched_slot (
    workspace_pk integer NOT NULL,
    slot timestamp(3) with time zone NOT NULL,
    marks bigint DEFAULT 1 NOT NULL,
    CONSTRAINT touched_slot_pkey PRIMARY KEY (workspace_pk, slot)
);

CREATE TABLE analytics.value_day (
    start timestamp(3) with time zone NOT NULL,
    link_pk bigint NOT NULL,
    workspace_pk integer NOT NULL,
    dimension analytics.dimension NOT NULL,
    clicks integer NOT NULL,
    visitors integer NOT NULL,
    scans integer NOT NULL,
    bots integer NOT NULL,
    value text NOT NULL
) PARTITION BY RANGE (start);
-- By hash, because some values are longer than an index entry can be.
CREATE INDEX value_day_hash ON analytics.value_day (workspace_pk, link_pk, dimension, hashtextextended(value, (0)::bigint), start);
CREATE INDEX value_day_top ON analytics.value_day (workspace_pk, link_pk, dimension, start, clicks DESC);

CREATE TABLE analytics.value_month (
    start timestamp(3) with time zone NOT NULL,
    link_pk bigint NOT NULL,
    workspace_pk integer NOT NULL,
    dimension analytics.dimension NOT NULL,
    clicks integer NOT NULL,
    visitors integer NOT NULL,
    scans integer NOT NULL,
    bots integer NOT NULL,
    value text NOT NULL
) PARTITION BY RANGE (start);
CREATE INDEX value_month_hash ON analytics.value_month (workspace_pk, link_pk, dimension, hashtextextended(value, (0)::bigint), start);
CREATE INDEX value_month_top ON analytics.value_month (workspace_pk, link_pk, dimension, start, clicks DESC);

-- Totals per value of each dimension and quarter hour: of a workspace (link_pk -1) and of each busy link.
CREATE TABLE analytics.value_slot (
    start timestamp(3) with time zone NOT NULL,
    link_pk bigint NOT NULL,
    workspace_pk integer NOT NULL,
    dimension analytics.dimension NOT NULL,
    clicks integer NOT NULL,
    visitors integer NOT NULL,
    scans integer NOT NULL,
    bots integer NOT NULL,
    value text NOT NULL
) PARTITION BY RANGE (start);
CREATE INDEX value_slot_of ON analytics.value_slot (workspace_pk, link_pk, dimension, start);

-- Visitors seen on a day, as hashes.
CREATE TABLE analytics.visitor (
    day date NOT NULL,
    name bigint NOT NULL,
    CONSTRAINT visitor_pkey PRIMARY KEY (day, name)
) PARTITION BY RANGE (day);

CREATE TABLE alias (
    domain_pk integer NOT NULL,
    key text NOT NULL,
    link_pk bigint NOT NULL,
    CONSTRAINT alias_pkey PRIMARY KEY (domain_pk, key)
);
-- Answers whether an alias on any domain spells a code.
CREATE INDEX alias_code ON alias (key) WHERE (key ~ '^[0-9A-Za-z]{6,7}$'::text);
CREATE INDEX alias_link_pk_idx ON alias (link_pk);

CREATE TABLE annotation (
    pk serial,
    id text NOT NULL,
    workspace_pk integer NOT NULL,
    at timestamp(3) with time zone NOT NULL,
    text text NOT NULL,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT annotation_pkey PRIMARY KEY (pk)
);
CREATE UNIQUE INDEX annotation_id_key ON annotation (id);
CREATE INDEX annotation_workspace_pk_at_idx ON annotation (workspace_pk, at);

CREATE TABLE announcement (
    pk serial,
    id text NOT NULL,
    text_en text NOT NULL,
    text_zh text NOT NULL,
    url text,
    level text NOT NULL,
    starts_at timestamp(3) with time zone NOT NULL,
    ends_at timestamp(3) with time zone NOT NULL,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT announcement_level CHECK ((level = ANY (ARRAY['info'::text, 'warning'::text]))),
    CONSTRAINT announcement_pkey PRIMARY KEY (pk)
);
CREATE UNIQUE INDEX announcement_id_key ON announcement (id);
CREATE INDEX announcement_shown ON announcement (ends_at);

CREATE TABLE announcement_closed (
    announcement_pk integer NOT NULL,
    user_pk integer NOT NULL,
    CONSTRAINT announcement_closed_pkey PRIMARY KEY (announcement_pk, user_pk)
);
CREATE INDEX announcement_closed_user_pk_idx ON announcement_closed (user_pk);

CREATE TABLE api_key (
    pk serial,
    id text NOT NULL,
    workspace_pk integer NOT NULL,
    user_pk integer NOT NULL,
    name text NOT NULL,
    hash bytea NOT NULL,
    hint text NOT NULL,
    scopes text[],
    expires_at timestamp(3) with time zone,
    revoked_at timestamp(3) with time zone,
    last_used_at timestamp(3) with time zone,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    allowed_addresses text[] DEFAULT ARRAY[]::text[],
    unproven boolean DEFAULT false NOT NULL,
    domain_ids text[] DEFAULT ARRAY[]::text[] NOT NULL,
    folder_ids text[] DEFAULT ARRAY[]::text[] NOT NULL,
    calls_per_minute integer,
    previous_hash bytea,
    previous_hint text,
    previous_ends_at timestamp(3) with time zone,
    pending_approval boolean DEFAULT false NOT NULL,
    CONSTRAINT api_key_pkey PRIMARY KEY (pk)
);
CREATE UNIQUE INDEX api_key_hash_key ON api_key (hash);
CREATE UNIQUE INDEX api_key_id_key ON api_key (id);
CREATE INDEX api_key_pending ON api_key (pk) WHERE pending_approval;
CREATE UNIQUE INDEX api_key_previous_hash_key ON api_key (previous_hash);
CREATE INDEX api_key_user_pk_idx ON api_key (user_pk);
CREATE INDEX api_key_workspace_pk_idx ON api_key (workspace_pk);

CREATE TABLE app_user (
    pk serial,
    id text NOT NULL,
    email text NOT NULL,
    name text NOT NULL,
    password_hash text,
    operator boolean DEFAULT false NOT NULL,
    locale text,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    email_proven_at timestamp(3) with time zone,
    factor_secret bytea,
    factor_since timestamp(3) with time zone,
    factor_step bigint,
    banned_at timestamp(3) with time zone,
    CONSTRAINT app_user_pkey PRIMARY KEY (pk)
);
CREATE UNIQUE INDEX app_user_email_key ON app_user (email);
CREATE UNIQUE INDEX app_user_id_key ON app_user (id);
-- The back office searches by the beginning of names.
CREATE INDEX app_user_name_search ON app_user (lower(name) text_pattern_ops);
-- Administrators: a few of all accounts.
CREATE INDEX app_user_operator ON app_user (pk) WHERE operator;
CREATE INDEX app_user_search ON app_user (lower(email) text_pattern_ops);

CREATE TABLE audit (
    pk bigserial,
    workspace_pk integer,
    at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    actor text NOT NULL,
    action text NOT NULL,
    subject text,
    details jsonb,
    id uuid NOT NULL,
    address text,
    agent text,
    CONSTRAINT audit_pkey PRIMARY KEY (pk)
);
-- Everything administrators did and viewed, in all workspaces: few rows of a large table.
CREATE INDEX audit_operator ON audit (id DESC) WHERE (action ~~ 'operator.%'::text);
CREATE INDEX audit_workspace_pk_id_idx ON audit (workspace_pk, id DESC);
CREATE INDEX audit_workspace_pk_subject_id_idx ON audit (workspace_pk, subject, id DESC);

CREATE TABLE ban (
    pk serial,
    id text NOT NULL,
    kind text NOT NULL,
    subject text NOT NULL,
    name text NOT NULL,
    workspace_pk integer,
    user_pk integer,
    link_pk bigint,
    reason text NOT NULL,
    note text NOT NULL,
    actor text NOT NULL,
    revision bigint NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    ends_at timestamp(3) with time zone,
    lifted_at timestamp(3) with time zone,
    lifted_by text,
    announced_at timestamp(3) with time zone,
    CONSTRAINT ban_pkey PRIMARY KEY (pk)
);
CREATE UNIQUE INDEX ban_active ON ban (kind, subject) WHERE (lifted_at IS NULL);
CREATE INDEX ban_ending ON ban (ends_at) WHERE (lifted_at IS NULL);
CREATE UNIQUE INDEX ban_id_key ON ban (id);
CREATE INDEX ban_link_pk_idx ON ban (link_pk);
CREATE INDEX ban_revision ON ban (revision DESC);
CREATE INDEX ban_unannounced ON ban (pk) WHERE (announced_at IS NULL);
CREATE INDEX ban_user_pk_idx ON ban (user_pk);
CREATE INDEX ban_workspace_pk_idx ON ban (workspace_pk);

CREATE TABLE ban_recipient (
    ban_pk integer NOT NULL,
    user_pk integer NOT NULL,
    workspace_pk integer,
    links integer NOT NULL,
    mails text[] DEFAULT ARRAY['banned'::text],
    appeal text,
    appealed_at timestamp(3) with time zone,
    decided_at timestamp(3) with time zone,
    decided_by text,
    accepted boolean,
    CONSTRAINT ban_recipient_pkey PRIMARY KEY (ban_pk, user_pk)
);
CREATE INDEX ban_recipient_appeal ON ban_recipient (appealed_at) WHERE ((appealed_at IS NOT NULL) AND (decided_at IS NULL));
CREATE INDEX ban_recipient_untold ON ban_recipient (ban_pk) WHERE (mails <> '{}'::text[]);
CREATE INDEX ban_recipient_user_pk_idx ON ban_recipient (user_pk);
CREATE INDEX ban_recipient_workspace_pk_idx ON ban_recipient (workspace_pk);

CREATE TABLE billing_account (
    workspace_pk integer NOT NULL,
    customer_id text NOT NULL,
    fetches integer DEFAULT 0 NOT NULL,
    written integer DEFAULT 0 NOT NULL,
    subscription_id text,
    plan text,
    status text,
    period_ends_at timestamp(3) with time zone,
    cancels_at timestamp(3) with time zone,
    fetched_at timestamp(3) with time zone,
    CONSTRAINT billing_account_pkey PRIMARY KEY (workspace_pk)
);
CREATE UNIQUE INDEX billing_account_customer_id_key ON billing_account (customer_id);

CREATE TABLE bulk_job (
    id text NOT NULL,
    workspace_pk integer NOT NULL,
    user_pk integer NOT NULL,
    api_key_pk integer,
    digest uuid NOT NULL,
    request uuid NOT NULL,
    state text DEFAULT 'waiting'::text NOT NULL,
    total integer NOT NULL,
    done integer DEFAULT 0 NOT NULL,
    refused integer DEFAULT 0 NOT NULL,
    error text,
    body bytea NOT NULL,
    outcomes bytea,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    seen_at timestamp(3) with time zone,
    finished_at timestamp(3) with time zone,
    CONSTRAINT bulk_job_pkey PRIMARY KEY (id)
);
CREATE INDEX bulk_job_finished_at_idx ON bulk_job (finished_at);
CREATE INDEX bulk_job_open ON bulk_job (workspace_pk) WHERE (state = ANY (ARRAY['waiting'::text, 'running'::text]));
CREATE UNIQUE INDEX bulk_job_workspace_pk_digest_key ON bulk_job (workspace_pk, digest);

CREATE TABLE cache_change (
    revision bigint NOT NULL,
    entry text NOT NULL,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT cache_change_pkey PRIMARY KEY (revision, entry)
);

CREATE TABLE campaign (
    pk serial,
    id text NOT NULL,
    workspace_pk integer NOT NULL,
    user_pk integer NOT NULL,
    name text NOT NULL,
    kind text NOT NULL,
    consent_source text,
    consent_on date,
    sender_name text,
    opt_out_text text,
    link_scheme boolean NOT NULL,
    default_country text NOT NULL,
    columns jsonb NOT NULL,
    variants jsonb NOT NULL,
    destination text NOT NULL,
    link jsonb NOT NULL,
    link_days integer,
    prices jsonb,
    people_days integer NOT NULL,
    recipients integer DEFAULT 0 NOT NULL,
    refused integer DEFAULT 0 NOT NULL,
    last_position integer DEFAULT 0 NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    added_at timestamp(3) with time zone,
    erasing_at timestamp(3) with time zone,
    erased_at timestamp(3) with time zone,
    deleted_at timestamp(3) with time zone,
    CONSTRAINT campaign_kind CHECK ((kind = ANY (ARRAY['marketing'::text, 'service'::text]))),
    CONSTRAINT campaign_pkey PRIMARY KEY (pk)
);
CREATE INDEX campaign_deleted ON campaign (pk) WHERE (deleted_at IS NOT NULL);
CREATE UNIQUE INDEX campaign_id_key ON campaign (id);
CREATE INDEX campaign_kept ON campaign (added_at) WHERE (erased_at IS NULL);
CREATE INDEX campaign_list ON campaign (workspace_pk, pk DESC) WHERE (deleted_at IS NULL);

CREATE TABLE campaign_recipient (
    campaign_pk integer NOT NULL,
    "position" integer NOT NULL,
    id uuid NOT NULL,
    workspace_pk integer NOT NULL,
    message_id text NOT NULL,
    state text NOT NULL,
    reason text,
    phone_hash bytea,
    key_version smallint,
    sealed bytea,
    country text,
    variant smallint,
    link_pk bigint,
    link_id uuid,
    parts smallint,
    url_parts smallint,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    source_pk bigint,
    CONSTRAINT campaign_recipient_state CHECK ((state = ANY (ARRAY['ready'::text, 'refused'::text]))),
    CONSTRAINT campaign_recipient_pkey PRIMARY KEY (campaign_pk, "position")
);
CREATE UNIQUE INDEX campaign_recipient_id ON campaign_recipient (id);
-- A message is prepared once, and a phone gets one message per campaign.
CREATE UNIQUE INDEX campaign_recipient_message ON campaign_recipient (campaign_pk, message_id);
CREATE UNIQUE INDEX campaign_recipient_phone ON campaign_recipient (workspace_pk, phone_hash, campaign_pk) WHERE (phone_hash IS NOT NULL);

CREATE TABLE campaign_send (
    campaign_pk integer NOT NULL,
    "position" integer NOT NULL,
    workspace_pk integer NOT NULL,
    state text NOT NULL,
    due_at timestamp(3) with time zone NOT NULL,
    attempts smallint DEFAULT 0 NOT NULL,
    gateway_pk integer,
    remote_hash bytea,
    code text,
    attempted_at timestamp(3) with time zone,
    settled_at timestamp(3) with time zone,
    ask_at timestamp(3) with time zone,
    asked smallint DEFAULT 0 NOT NULL,
    CONSTRAINT campaign_send_state CHECK ((state = ANY (ARRAY['due'::text, 'attempting'::text, 'later'::text, 'accepted'::text, 'refused'::text, 'unknown'::text, 'delivered'::text, 'failed'::text]))),
    CONSTRAINT campaign_send_pkey PRIMARY KEY (campaign_pk, "position")
);
CREATE INDEX campaign_send_attempting ON campaign_send (campaign_pk) WHERE (state = 'attempting'::text);
CREATE INDEX campaign_send_due ON campaign_send (campaign_pk, due_at, "position") WHERE (state = ANY (ARRAY['due'::text, 'later'::text]));
CREATE INDEX campaign_send_remote ON campaign_send (gateway_pk, remote_hash) WHERE (remote_hash IS NOT NULL);
CREATE INDEX campaign_send_unknown ON campaign_send (ask_at) WHERE ((state = 'unknown'::text) AND (ask_at IS NOT NULL));

CREATE TABLE campaign_sending (
    campaign_pk integer NOT NULL,
    workspace_pk integer NOT NULL,
    gateway_pk integer,
    state text NOT NULL,
    starts_at timestamp(3) with time zone NOT NULL,
    rate smallint NOT NULL,
    quiet_from smallint,
    quiet_until smallint,
    reason text,
    filled_position integer DEFAULT 0 NOT NULL,
    next_at timestamp(3) with time zone NOT NULL,
    lease uuid,
    lease_until timestamp(3) with time zone,
    started_at timestamp(3) with time zone,
    finished_at timestamp(3) with time zone,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    CONSTRAINT campaign_sending_state CHECK ((state = ANY (ARRAY['scheduled'::text, 'sending'::text, 'paused'::text, 'finished'::text, 'cancelled'::text]))),
    CONSTRAINT campaign_sending_pkey PRIMARY KEY (campaign_pk)
);
CREATE INDEX campaign_sending_due ON campaign_sending (next_at) WHERE (state = ANY (ARRAY['scheduled'::text, 'sending'::text]));
CREATE INDEX campaign_sending_gateway ON campaign_sending (gateway_pk);

CREATE TABLE contact (
    pk bigserial,
    id uuid NOT NULL,
    workspace_pk integer NOT NULL,
    person_hash bytea NOT NULL,
    key_version smallint NOT NULL,
    sealed bytea NOT NULL,
    country text,
    marketing boolean NOT NULL,
    answers integer DEFAULT 0 NOT NULL,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    answered_at timestamp(3) with time zone NOT NULL,
    phone_confirmed boolean DEFAULT false NOT NULL,
    CONSTRAINT contact_pkey PRIMARY KEY (pk)
);
CREATE INDEX contact_answered ON contact (workspace_pk, answered_at);
CREATE UNIQUE INDEX contact_id_key ON contact (id);
CREATE INDEX contact_list ON contact (workspace_pk, pk DESC);
CREATE UNIQUE INDEX contact_person ON contact (workspace_pk, person_hash);

CREATE TABLE contact_alias (
    id uuid NOT NULL,
    workspace_pk integer NOT NULL,
    contact_pk bigint NOT NULL,
    person_hash bytea NOT NULL,
    CONSTRAINT contact_alias_pkey PRIMARY KEY (id)
);
CREATE INDEX contact_alias_contact ON contact_alias (contact_pk);
CREATE INDEX contact_alias_person ON contact_alias (workspace_pk, person_hash);

CREATE TABLE contact_answer (
    pk bigserial,
    id uuid NOT NULL,
    workspace_pk integer NOT NULL,
    contact_pk bigint NOT NULL,
    form_pk integer NOT NULL,
    form_version integer NOT NULL,
    link_pk bigint,
    at timestamp(3) with time zone NOT NULL,
    marketing boolean NOT NULL,
    language text NOT NULL,
    key_version smallint NOT NULL,
    sealed bytea NOT NULL,
    lead_due boolean DEFAULT true NOT NULL,
    CONSTRAINT contact_answer_pkey PRIMARY KEY (pk)
);
CREATE INDEX contact_answer_contact ON contact_answer (contact_pk, pk DESC);
CREATE INDEX contact_answer_form ON contact_answer (form_pk);
CREATE UNIQUE INDEX contact_answer_id_key ON contact_answer (id);
CREATE INDEX contact_answer_lead ON contact_answer (at) WHERE lead_due;
CREATE INDEX contact_answer_link ON contact_answer (link_pk) WHERE (link_pk IS NOT NULL);
CREATE INDEX contact_answer_workspace ON contact_answer (workspace_pk, pk DESC);

CREATE TABLE contact_visit (
    contact_pk bigint NOT NULL,
    at timestamp(3) with time zone NOT NULL,
    click_id uuid NOT NULL,
    link_pk bigint NOT NULL,
    CONSTRAINT contact_visit_pkey PRIMARY KEY (contact_pk, at, click_id)
);
CREATE INDEX contact_visit_link ON contact_visit (link_pk);

CREATE TABLE contact_wechat (
    pk bigserial,
    id uuid NOT NULL,
    workspace_pk integer NOT NULL,
    contact_pk bigint NOT NULL,
    app_id text NOT NULL,
    openid_hash bytea NOT NULL,
    union_hash bytea,
    key_version smallint NOT NULL,
    sealed bytea NOT NULL,
    at timestamp(3) with time zone NOT NULL,
    CONSTRAINT contact_wechat_pkey PRIMARY KEY (pk)
);
CREATE INDEX contact_wechat_contact ON contact_wechat (contact_pk);
CREATE UNIQUE INDEX contact_wechat_openid ON contact_wechat (workspace_pk, openid_hash, app_id);
CREATE INDEX contact_wechat_union ON contact_wechat (workspace_pk, union_hash) WHERE (union_hash IS NOT NULL);

CREATE TABLE customer (
    pk bigserial,
    id text NOT NULL,
    workspace_pk integer NOT NULL,
    external_hash bytea NOT NULL,
    key_version smallint NOT NULL,
    sealed bytea NOT NULL,
    link_pk bigint,
    click_at timestamp(3) with time zone NOT NULL,
    click_id uuid NOT NULL,
    country text,
    sales integer DEFAULT 0 NOT NULL,
    sale_amount bigint DEFAULT 0 NOT NULL,
    first_sale_at timestamp(3) with time zone,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT customer_pkey PRIMARY KEY (pk)
);
CREATE UNIQUE INDEX customer_external ON customer (workspace_pk, external_hash);
CREATE UNIQUE INDEX customer_id_key ON customer (id);
CREATE INDEX customer_link ON customer (link_pk);
CREATE INDEX customer_list ON customer (workspace_pk, pk DESC);

CREATE TABLE deleted_link (
    link_pk bigint NOT NULL,
    workspace_pk integer NOT NULL,
    link_id uuid NOT NULL,
    actor text NOT NULL,
    deleted_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    link jsonb NOT NULL,
    tag_pks integer[] NOT NULL,
    searched boolean NOT NULL,
    allowance jsonb,
    CONSTRAINT deleted_link_pkey PRIMARY KEY (link_pk)
);
CREATE INDEX deleted_link_deleted_at_idx ON deleted_link (deleted_at);
CREATE INDEX deleted_link_workspace_pk_link_id_idx ON deleted_link (workspace_pk, link_id);

CREATE TABLE destination_list (
    pk serial,
    workspace_pk integer,
    kind text NOT NULL,
    entries text DEFAULT ''::text NOT NULL,
    source text,
    source_entries text DEFAULT ''::text NOT NULL,
    source_count integer DEFAULT 0 NOT NULL,
    read_from text,
    etag text,
    polled_at timestamp(3) with time zone,
    succeeded_at timestamp(3) with time zone,
    problem jsonb,
    revision bigint NOT NULL,
    CONSTRAINT destination_list_kind CHECK (((kind = ANY (ARRAY['allow'::text, 'block'::text])) OR ((kind = 'warn'::text) AND (workspace_pk IS NULL)))),
    CONSTRAINT destination_list_pkey PRIMARY KEY (pk)
);
CREATE UNIQUE INDEX destination_list_instance ON destination_list (kind) WHERE (workspace_pk IS NULL);
CREATE UNIQUE INDEX destination_list_owner ON destination_list (workspace_pk, kind);
CREATE INDEX destination_list_polled ON destination_list (polled_at) WHERE (source IS NOT NULL);

CREATE TABLE domain (
    pk serial,
    id text NOT NULL,
    workspace_pk integer,
    slug text NOT NULL,
    "primary" boolean DEFAULT false NOT NULL,
    archived boolean DEFAULT false NOT NULL,
    verified_at timestamp(3) with time zone,
    case_insensitive boolean DEFAULT false NOT NULL,
    revision bigint DEFAULT 0 NOT NULL,
    placeholder text,
    expired_url text,
    not_found_url text,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    logo text,
    asset_links text,
    apple_app_site_association text,
    token text DEFAULT replace((gen_random_uuid())::text, '-'::text, ''::text) NOT NULL,
    claimed_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    proven_at timestamp(3) with time zone,
    check_due_at timestamp(3) with time zone,
    checked_at timestamp(3) with time zone,
    failing_since timestamp(3) with time zone,
    findings jsonb,
    icp text,
    track_conversion boolean DEFAULT false NOT NULL,
    CONSTRAINT domain_pkey PRIMARY KEY (pk)
);
CREATE INDEX domain_check ON domain (check_due_at) WHERE (check_due_at IS NOT NULL);
CREATE UNIQUE INDEX domain_claim ON domain (workspace_pk, slug);
CREATE UNIQUE INDEX domain_id_key ON domain (id);
CREATE UNIQUE INDEX domain_primary ON domain (workspace_pk) WHERE "primary";
-- The back office searches by the beginning of names.
CREATE INDEX domain_search ON domain (lower(slug) text_pattern_ops);
-- One workspace serves a host; any number of workspaces may claim it before.
CREATE UNIQUE INDEX domain_serving ON domain (slug) WHERE (verified_at IS NOT NULL);

CREATE TABLE domain_alarm (
    pk bigserial,
    domain_pk integer NOT NULL,
    workspace_pk integer NOT NULL,
    slug text NOT NULL,
    app text NOT NULL,
    source text NOT NULL,
    since date NOT NULL,
    evidence jsonb,
    found_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    dismissed_at timestamp(3) with time zone,
    ended_at timestamp(3) with time zone,
    CONSTRAINT domain_alarm_pkey PRIMARY KEY (pk)
);
CREATE INDEX domain_alarm_ended ON domain_alarm (ended_at) WHERE (ended_at IS NOT NULL);
CREATE UNIQUE INDEX domain_alarm_open ON domain_alarm (domain_pk, app) WHERE (ended_at IS NULL);

CREATE TABLE domain_clearing (
    domain_pk integer NOT NULL,
    workspace_pk integer NOT NULL,
    due_at timestamp(3) with time zone NOT NULL,
    after_id uuid,
    CONSTRAINT domain_clearing_pkey PRIMARY KEY (domain_pk, workspace_pk)
);

CREATE TABLE domain_health (
    domain_pk integer NOT NULL,
    workspace_pk integer NOT NULL,
    slug text NOT NULL,
    due_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    probe jsonb,
    probed_at timestamp(3) with time zone,
    checker jsonb,
    checker_at timestamp(3) with time zone,
    checker_due_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    apps jsonb,
    judged_day date,
    judged_at timestamp(3) with time zone,
    CONSTRAINT domain_health_pkey PRIMARY KEY (domain_pk)
);
CREATE INDEX domain_health_due ON domain_health (due_at);

CREATE TABLE factor_undo (
    hash bytea NOT NULL,
    user_pk integer NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    secret bytea,
    since timestamp(3) with time zone,
    step bigint,
    codes bytea[] NOT NULL,
    CONSTRAINT factor_undo_pkey PRIMARY KEY (hash)
);
CREATE INDEX factor_undo_expires_at_idx ON factor_undo (expires_at);
CREATE INDEX factor_undo_user_pk_idx ON factor_undo (user_pk);

CREATE TABLE feature (
    name text NOT NULL,
    enabled boolean NOT NULL,
    reason text NOT NULL,
    revision bigint NOT NULL,
    changed_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    CONSTRAINT feature_pkey PRIMARY KEY (name)
);

CREATE TABLE folder (
    pk serial,
    id text NOT NULL,
    workspace_pk integer NOT NULL,
    name text NOT NULL,
    description text,
    access_level text,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    user_pk integer,
    CONSTRAINT folder_pkey PRIMARY KEY (pk)
);
CREATE UNIQUE INDEX folder_id_key ON folder (id);
-- Names that differ only in capitals are the same name.
CREATE UNIQUE INDEX folder_name ON folder (workspace_pk, lower(name));

CREATE TABLE folder_clearing (
    folder_pk integer NOT NULL,
    workspace_pk integer NOT NULL,
    due_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT folder_clearing_pkey PRIMARY KEY (folder_pk)
);

CREATE TABLE form (
    pk serial,
    id text NOT NULL,
    workspace_pk integer NOT NULL,
    revision bigint NOT NULL,
    name text NOT NULL,
    published boolean DEFAULT false NOT NULL,
    version integer NOT NULL,
    content jsonb NOT NULL,
    personal boolean NOT NULL,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    deleted_at timestamp(3) with time zone,
    gateway_pk integer,
    code_failure_told_at timestamp(3) with time zone,
    CONSTRAINT form_pkey PRIMARY KEY (pk)
);
CREATE INDEX form_gateway ON form (gateway_pk) WHERE (gateway_pk IS NOT NULL);
CREATE UNIQUE INDEX form_id_key ON form (id);
CREATE UNIQUE INDEX form_name ON form (workspace_pk, name) WHERE (deleted_at IS NULL);

CREATE TABLE form_version (
    form_pk integer NOT NULL,
    version integer NOT NULL,
    content jsonb NOT NULL,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT form_version_pkey PRIMARY KEY (form_pk, version)
);

CREATE TABLE former_key (
    pk serial,
    purpose text NOT NULL,
    sealed bytea NOT NULL,
    CONSTRAINT former_key_pkey PRIMARY KEY (pk)
);

CREATE TABLE identity (
    provider text NOT NULL,
    subject text NOT NULL,
    user_pk integer NOT NULL,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT identity_pkey PRIMARY KEY (provider, subject)
);
CREATE INDEX identity_user_pk_idx ON identity (user_pk);

CREATE TABLE import (
    id text NOT NULL,
    workspace_pk integer NOT NULL,
    user_pk integer NOT NULL,
    api_key_pk integer,
    name text NOT NULL,
    bytes bigint NOT NULL,
    encoding text NOT NULL,
    delimiter text NOT NULL,
    records integer NOT NULL,
    width integer NOT NULL,
    head jsonb NOT NULL,
    mapping jsonb NOT NULL,
    options jsonb NOT NULL,
    state text DEFAULT 'ready'::text NOT NULL,
    "position" bigint DEFAULT 0 NOT NULL,
    done integer DEFAULT 0 NOT NULL,
    made integer DEFAULT 0 NOT NULL,
    refused integer DEFAULT 0 NOT NULL,
    error text,
    attempts integer DEFAULT 0 NOT NULL,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    started_at timestamp(3) with time zone,
    seen_at timestamp(3) with time zone,
    finished_at timestamp(3) with time zone,
    problem jsonb,
    passwords_erased_at timestamp(3) with time zone,
    undone_at timestamp(3) with time zone,
    source jsonb,
    CONSTRAINT import_pkey PRIMARY KEY (id)
);
CREATE INDEX import_open ON import (created_at) WHERE (state = ANY (ARRAY['waiting'::text, 'running'::text]));
CREATE INDEX import_workspace_pk_created_at_idx ON import (workspace_pk, created_at DESC);

CREATE TABLE import_chunk (
    import_id text NOT NULL,
    first_row integer NOT NULL,
    rows integer NOT NULL,
    refused integer NOT NULL,
    outcomes bytea NOT NULL,
    made_pks bigint[] DEFAULT ARRAY[]::bigint[],
    CONSTRAINT import_chunk_pkey PRIMARY KEY (import_id, first_row)
);

CREATE TABLE importer (
    id text NOT NULL,
    workspace_pk integer NOT NULL,
    user_pk integer NOT NULL,
    api_key_pk integer,
    system text NOT NULL,
    address text,
    sealed bytea,
    clicks boolean NOT NULL,
    state text DEFAULT 'waiting'::text NOT NULL,
    cursor jsonb,
    pages integer DEFAULT 0 NOT NULL,
    found integer DEFAULT 0 NOT NULL,
    total integer,
    counts jsonb DEFAULT '{}'::jsonb NOT NULL,
    failures integer DEFAULT 0 NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    import_id text NOT NULL,
    error text,
    problem jsonb,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    seen_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    resumes_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    finished_at timestamp(3) with time zone,
    CONSTRAINT importer_pkey PRIMARY KEY (id)
);
CREATE INDEX importer_open ON importer (created_at) WHERE (state = ANY (ARRAY['waiting'::text, 'running'::text]));
CREATE INDEX importer_workspace_pk_created_at_idx ON importer (workspace_pk, created_at DESC);

CREATE TABLE importer_page (
    importer_id text NOT NULL,
    number integer NOT NULL,
    sealed bytea NOT NULL,
    CONSTRAINT importer_page_pkey PRIMARY KEY (importer_id, number)
);

CREATE TABLE installation (
    "only" smallint DEFAULT 1 NOT NULL,
    code_fingerprint text NOT NULL,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    secret_fingerprint text,
    timeline text,
    -- Values that never change during the life of an instance: one row.
    CONSTRAINT installation_only_one CHECK (("only" = 1)),
    CONSTRAINT installation_pkey PRIMARY KEY ("only")
);

CREATE TABLE instance_day (
    day date NOT NULL,
    links bigint NOT NULL,
    clicks bigint NOT NULL,
    workspaces integer NOT NULL,
    people integer NOT NULL,
    codes_leased bigint,
    database_bytes bigint,
    CONSTRAINT instance_day_pkey PRIMARY KEY (day)
);

CREATE TABLE invitation (
    id text NOT NULL,
    workspace_pk integer NOT NULL,
    email text,
    role text NOT NULL,
    hash bytea NOT NULL,
    invited_by text NOT NULL,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    user_id text,
    CONSTRAINT invitation_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX invitation_hash_key ON invitation (hash);
CREATE INDEX invitation_invited_by_idx ON invitation (invited_by);
CREATE INDEX invitation_workspace_pk_idx ON invitation (workspace_pk);

CREATE TABLE key_app (
    api_key_pk integer NOT NULL,
    name text NOT NULL,
    version text NOT NULL,
    calls bigint NOT NULL,
    last_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT key_app_pkey PRIMARY KEY (api_key_pk, name, version)
);

CREATE TABLE key_use (
    api_key_pk integer NOT NULL,
    hour timestamp(3) with time zone NOT NULL,
    calls integer NOT NULL,
    links integer NOT NULL,
    refusals integer NOT NULL,
    last_at timestamp(3) with time zone,
    last_address text,
    CONSTRAINT key_use_pkey PRIMARY KEY (api_key_pk, hour)
);

CREATE TABLE link (
    pk bigint NOT NULL,
    revision bigint DEFAULT 0 NOT NULL,
    id uuid,
    workspace_pk integer,
    domain_pk integer,
    user_pk integer,
    api_key_pk integer,
    folder_pk integer,
    redirect_status smallint DEFAULT 0 NOT NULL,
    alias boolean DEFAULT false NOT NULL,
    archived boolean DEFAULT false NOT NULL,
    proxy boolean DEFAULT false NOT NULL,
    rewrite boolean DEFAULT false NOT NULL,
    do_index boolean DEFAULT false NOT NULL,
    track_conversion boolean DEFAULT false NOT NULL,
    public_stats boolean DEFAULT false NOT NULL,
    forward_path boolean DEFAULT false NOT NULL,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP,
    updated_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP,
    key text,
    url text,
    external_id text,
    tenant_id text,
    comments text,
    title text,
    description text,
    image text,
    video text,
    ios text,
    android text,
    geo jsonb,
    rules jsonb,
    test_variants jsonb,
    test_started_at timestamp(3) with time zone,
    test_completed_at timestamp(3) with time zone,
    starts_at timestamp(3) with time zone,
    expires_at timestamp(3) with time zone,
    expired_url text,
    max_clicks integer,
    password_hash text,
    disabled_at timestamp(3) with time zone,
    banned_at timestamp(3) with time zone,
    retires_at timestamp(3) with time zone,
    webhook_ids text[] DEFAULT ARRAY[]::text[],
    forward_query boolean,
    qr jsonb,
    retires_own boolean DEFAULT false NOT NULL,
    retired_at timestamp(3) with time zone,
    ban_reason text,
    origin jsonb,
    form_id text,
    inside_apps jsonb,
    CONSTRAINT link_pkey PRIMARY KEY (pk)
);
-- Partial, so that links without these columns do not pay for the index.
CREATE INDEX link_api_key ON link (api_key_pk, id DESC) WHERE (api_key_pk IS NOT NULL);
CREATE INDEX link_archived ON link (workspace_pk, id DESC) WHERE archived;
CREATE UNIQUE INDEX link_external ON link (workspace_pk, external_id) WHERE (external_id IS NOT NULL);
CREATE INDEX link_folder ON link (folder_pk, id DESC) WHERE (folder_pk IS NOT NULL);
CREATE INDEX link_form ON link (form_id, id DESC) WHERE (form_id IS NOT NULL);
-- By hash, because a URL can be longer than an index entry.
CREATE INDEX link_image ON link (hashtextextended(image, (workspace_pk)::bigint)) WHERE (image IS NOT NULL);
CREATE INDEX link_mini_program ON link (workspace_pk, ((inside_apps ->> 'appId'::text)), ((inside_apps ->> 'path'::text))) WHERE ((inside_apps ->> 'open'::text) = 'miniProgram'::text);
CREATE INDEX link_origin ON link (workspace_pk, ((origin ->> 'shortLink'::text))) WHERE ((origin ->> 'shortLink'::text) IS NOT NULL);
-- Serves the public image of a code in its saved design.
CREATE INDEX link_qr ON link (id) WHERE (qr IS NOT NULL);
-- Answers whether a link uses a logo.
CREATE INDEX link_qr_logo ON link (workspace_pk, ((qr ->> 'logoId'::text))) WHERE ((qr ->> 'logoId'::text) IS NOT NULL);
CREATE INDEX link_retired ON link (workspace_pk, retired_at) WHERE (retired_at IS NOT NULL);
-- Answers which links retire next.
CREATE INDEX link_retiring ON link (workspace_pk, retires_at, pk) WHERE ((retires_at IS NOT NULL) AND (retired_at IS NULL));
-- The few links that filters by status find.
CREATE INDEX link_special ON link (workspace_pk, id DESC) WHERE ((disabled_at IS NOT NULL) OR (starts_at IS NOT NULL) OR (expires_at IS NOT NULL) OR (max_clicks IS NOT NULL) OR (password_hash IS NOT NULL) OR (test_variants IS NOT NULL) OR (rules IS NOT NULL) OR (geo IS NOT NULL) OR (ios IS NOT NULL) OR (android IS NOT NULL));
CREATE INDEX link_tenant ON link (workspace_pk, tenant_id, id DESC) WHERE (tenant_id IS NOT NULL);
-- By hash, for upserts and exact searches. Newest first: links of a campaign share one URL and lie side by side.
CREATE INDEX link_url ON link (hashtextextended(url, (workspace_pk)::bigint), id DESC);
CREATE INDEX link_workspace ON link (workspace_pk, id DESC);

CREATE TABLE link_allowance (
    link_pk bigint NOT NULL,
    used integer NOT NULL,
    granted integer NOT NULL,
    CONSTRAINT link_allowance_pkey PRIMARY KEY (link_pk)
);

-- External ids of links that are distributed over Citus: a unique index of link would have to contain its primary key.
CREATE TABLE link_external_id (
    workspace_pk integer NOT NULL,
    external_id text NOT NULL,
    link_pk bigint NOT NULL,
    CONSTRAINT link_external_id_pkey PRIMARY KEY (workspace_pk, external_id)
);

CREATE TABLE link_repeat (
    workspace_pk integer NOT NULL,
    digest uuid NOT NULL,
    part integer NOT NULL,
    request uuid NOT NULL,
    link_pk bigint NOT NULL,
    link_id uuid NOT NULL,
    key text NOT NULL,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT link_repeat_pkey PRIMARY KEY (workspace_pk, digest, part)
);
CREATE INDEX link_repeat_created ON link_repeat USING brin (created_at);

CREATE TABLE link_report (
    pk serial,
    workspace_pk integer NOT NULL,
    link_id uuid NOT NULL,
    link_pk bigint NOT NULL,
    address_hash bytea NOT NULL,
    reason text NOT NULL,
    text text NOT NULL,
    email text,
    locale text NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    decided_at timestamp(3) with time zone,
    decided_by text,
    outcome text,
    CONSTRAINT link_report_pkey PRIMARY KEY (pk)
);
CREATE INDEX link_report_decided_at_idx ON link_report (decided_at);
CREATE UNIQUE INDEX link_report_open ON link_report (link_id, address_hash) WHERE (decided_at IS NULL);
CREATE INDEX link_report_unanswered ON link_report (pk) WHERE ((decided_at IS NOT NULL) AND (email IS NOT NULL));
CREATE INDEX link_report_workspace_pk_idx ON link_report (workspace_pk);

CREATE TABLE link_reputation (
    link_pk bigint NOT NULL,
    url_hash bytea NOT NULL,
    url text NOT NULL,
    threat text,
    warn_until timestamp(3) with time zone,
    checked_at timestamp(3) with time zone,
    next_check_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    service text,
    CONSTRAINT link_reputation_pkey PRIMARY KEY (link_pk, url_hash)
);
CREATE INDEX link_reputation_due ON link_reputation (next_check_at);
CREATE INDEX link_reputation_warned ON link_reputation (warn_until) WHERE (threat IS NOT NULL);

CREATE TABLE link_reuse (
    workspace_pk integer NOT NULL,
    domain_pk integer NOT NULL,
    digest uuid NOT NULL,
    link_pk bigint NOT NULL,
    used_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT link_reuse_pkey PRIMARY KEY (workspace_pk, domain_pk, digest)
);

CREATE TABLE link_search (
    link_pk bigint NOT NULL,
    workspace_pk integer NOT NULL,
    text text NOT NULL,
    era_pk integer NOT NULL,
    id uuid NOT NULL,
    grams text[] DEFAULT ARRAY[]::text[],
    CONSTRAINT link_search_pkey PRIMARY KEY (link_pk)
);
-- Searches stay inside the eras of the workspace.
CREATE INDEX link_search_grams ON link_search USING gin (era_pk, text gin_trgm_ops, grams) WITH (fastupdate='on');

CREATE TABLE link_stat (
    link_pk bigint NOT NULL,
    workspace_pk integer NOT NULL,
    clicks bigint DEFAULT 0 NOT NULL,
    visitors bigint DEFAULT 0 NOT NULL,
    scans bigint DEFAULT 0 NOT NULL,
    bots bigint DEFAULT 0 NOT NULL,
    last_click_at timestamp(3) with time zone,
    level smallint GENERATED ALWAYS AS (click_level(clicks)) STORED,
    clicked_on date GENERATED ALWAYS AS (((last_click_at AT TIME ZONE 'UTC'::text))::date) STORED,
    first_click_at timestamp(3) with time zone,
    leads bigint DEFAULT 0 NOT NULL,
    conversions bigint DEFAULT 0 NOT NULL,
    sales bigint DEFAULT 0 NOT NULL,
    sale_amount bigint DEFAULT 0 NOT NULL,
    CONSTRAINT link_stat_pkey PRIMARY KEY (link_pk)
);
CREATE INDEX link_stat_clicked_on ON link_stat (workspace_pk, clicked_on) WHERE (clicked_on IS NOT NULL);
CREATE INDEX link_stat_level ON link_stat (workspace_pk, level);
CREATE INDEX link_stat_sales ON link_stat (workspace_pk, sale_amount) WHERE (sale_amount > 0);

CREATE TABLE link_tag (
    link_pk bigint NOT NULL,
    tag_pk integer NOT NULL,
    CONSTRAINT link_tag_pkey PRIMARY KEY (link_pk, tag_pk)
);
CREATE INDEX link_tag_tag_pk_idx ON link_tag (tag_pk);

CREATE TABLE list_job (
    id text NOT NULL,
    workspace_pk integer NOT NULL,
    user_pk integer NOT NULL,
    filters jsonb NOT NULL,
    change jsonb NOT NULL,
    state text DEFAULT 'waiting'::text NOT NULL,
    total integer NOT NULL,
    done integer DEFAULT 0 NOT NULL,
    changed integer DEFAULT 0 NOT NULL,
    refused integer DEFAULT 0 NOT NULL,
    cursor_id uuid NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    dismissed boolean DEFAULT false NOT NULL,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    seen_at timestamp(3) with time zone,
    finished_at timestamp(3) with time zone,
    CONSTRAINT list_job_pkey PRIMARY KEY (id)
);
CREATE INDEX list_job_workspace_pk_created_at_idx ON list_job (workspace_pk, created_at DESC);

CREATE TABLE list_job_step (
    job_id text NOT NULL,
    number integer NOT NULL,
    changed integer NOT NULL,
    undo bytea NOT NULL,
    CONSTRAINT list_job_step_pkey PRIMARY KEY (job_id, number)
);

CREATE TABLE membership (
    workspace_pk integer NOT NULL,
    user_pk integer NOT NULL,
    role text NOT NULL,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    steps_closed_at timestamp(3) with time zone,
    CONSTRAINT membership_pkey PRIMARY KEY (workspace_pk, user_pk)
);
CREATE INDEX membership_user_pk_idx ON membership (user_pk);

CREATE TABLE notice (
    pk bigserial,
    workspace_pk integer NOT NULL,
    user_pk integer NOT NULL,
    kind text NOT NULL,
    subject text,
    details jsonb,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    read_at timestamp(3) with time zone,
    mail_due boolean DEFAULT false NOT NULL,
    CONSTRAINT notice_pkey PRIMARY KEY (pk)
);
CREATE INDEX notice_mail ON notice (pk) WHERE mail_due;
CREATE INDEX notice_user_pk_idx ON notice (user_pk);
CREATE INDEX notice_workspace_pk_user_pk_pk_idx ON notice (workspace_pk, user_pk, pk DESC);

CREATE TABLE opt_out (
    pk bigserial,
    id text NOT NULL,
    workspace_pk integer NOT NULL,
    phone_hash bytea NOT NULL,
    key_version smallint,
    sealed bytea,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    source text,
    CONSTRAINT opt_out_source CHECK ((source = ANY (ARRAY['added'::text, 'page'::text, 'reply'::text, 'gateway'::text]))),
    CONSTRAINT opt_out_pkey PRIMARY KEY (pk)
);
CREATE UNIQUE INDEX opt_out_id_key ON opt_out (id);
CREATE INDEX opt_out_list ON opt_out (workspace_pk, pk DESC);
CREATE UNIQUE INDEX opt_out_phone ON opt_out (workspace_pk, phone_hash);

CREATE TABLE page_look (
    workspace_pk integer NOT NULL,
    revision bigint NOT NULL,
    color text,
    logo bytea,
    CONSTRAINT page_look_pkey PRIMARY KEY (workspace_pk)
);

CREATE TABLE people_key (
    workspace_pk integer NOT NULL,
    version smallint NOT NULL,
    sealed bytea NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    CONSTRAINT people_key_pkey PRIMARY KEY (workspace_pk, version)
);

CREATE TABLE phone_code (
    pk bigserial,
    id uuid NOT NULL,
    workspace_pk integer NOT NULL,
    form_pk integer NOT NULL,
    form_version integer NOT NULL,
    link_pk bigint NOT NULL,
    phone_hash bytea NOT NULL,
    key_version smallint NOT NULL,
    sealed bytea NOT NULL,
    language text NOT NULL,
    state text DEFAULT 'due'::text NOT NULL,
    due_at timestamp(3) with time zone NOT NULL,
    attempts smallint DEFAULT 0 NOT NULL,
    attempted_at timestamp(3) with time zone,
    code_hash bytea,
    tries smallint DEFAULT 0 NOT NULL,
    asked_at timestamp(3) with time zone NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT phone_code_pkey PRIMARY KEY (pk)
);
CREATE INDEX phone_code_attempting ON phone_code (workspace_pk) WHERE (state = 'attempting'::text);
CREATE INDEX phone_code_due ON phone_code (due_at) WHERE (state = 'due'::text);
CREATE INDEX phone_code_form ON phone_code (form_pk);
CREATE UNIQUE INDEX phone_code_id_key ON phone_code (id);
CREATE INDEX phone_code_phone ON phone_code (workspace_pk, phone_hash);

CREATE TABLE phone_code_hour (
    workspace_pk integer NOT NULL,
    country text NOT NULL,
    hour timestamp(3) with time zone NOT NULL,
    asked integer NOT NULL,
    told boolean DEFAULT false NOT NULL,
    CONSTRAINT phone_code_hour_pkey PRIMARY KEY (workspace_pk, country, hour)
);
CREATE INDEX phone_code_hour_hour ON phone_code_hour (hour);

CREATE TABLE plan_payment (
    id text NOT NULL,
    workspace_pk integer NOT NULL,
    kind text NOT NULL,
    plan text NOT NULL,
    reference text NOT NULL,
    amount text NOT NULL,
    currency text NOT NULL,
    paid_until timestamp(3) with time zone,
    outcome text NOT NULL,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    taken_seconds integer,
    CONSTRAINT plan_payment_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX plan_payment_kind_reference_key ON plan_payment (kind, reference);
CREATE INDEX plan_payment_workspace_pk_created_at_idx ON plan_payment (workspace_pk, created_at);

CREATE TABLE plan_warning (
    workspace_pk integer NOT NULL,
    subject text NOT NULL,
    period text NOT NULL,
    level integer NOT NULL,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT plan_warning_pkey PRIMARY KEY (workspace_pk, subject, period, level)
);

CREATE TABLE proof (
    hash bytea NOT NULL,
    purpose text NOT NULL,
    user_pk integer NOT NULL,
    email text NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT proof_pkey PRIMARY KEY (hash)
);
CREATE INDEX proof_expires_at_idx ON proof (expires_at);
CREATE INDEX proof_user_pk_idx ON proof (user_pk);

CREATE TABLE qr_logo (
    pk serial,
    id text NOT NULL,
    workspace_pk integer NOT NULL,
    hash text NOT NULL,
    png bytea NOT NULL,
    width integer NOT NULL,
    height integer NOT NULL,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT qr_logo_pkey PRIMARY KEY (pk)
);
CREATE UNIQUE INDEX qr_logo_id_key ON qr_logo (id);
CREATE UNIQUE INDEX qr_logo_workspace_pk_hash_key ON qr_logo (workspace_pk, hash);

CREATE TABLE qr_template (
    pk serial,
    id text NOT NULL,
    workspace_pk integer NOT NULL,
    name text NOT NULL,
    design jsonb NOT NULL,
    logo_pk integer,
    is_default boolean DEFAULT false NOT NULL,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT qr_template_pkey PRIMARY KEY (pk)
);
CREATE UNIQUE INDEX qr_template_default ON qr_template (workspace_pk) WHERE is_default;
CREATE UNIQUE INDEX qr_template_id_key ON qr_template (id);
CREATE INDEX qr_template_logo_pk_idx ON qr_template (logo_pk);
CREATE INDEX qr_template_workspace_pk_idx ON qr_template (workspace_pk);

CREATE TABLE quota_use (
    workspace_pk integer NOT NULL,
    name text NOT NULL,
    month date NOT NULL,
    used bigint NOT NULL,
    CONSTRAINT quota_use_pkey PRIMARY KEY (workspace_pk, name, month)
);

CREATE TABLE recipient_source (
    pk bigserial,
    id text NOT NULL,
    campaign_pk integer NOT NULL,
    workspace_pk integer NOT NULL,
    user_pk integer NOT NULL,
    api_key_pk integer,
    name text NOT NULL,
    audience text,
    from_campaign_id text,
    file_key bytea,
    bytes bigint DEFAULT 0 NOT NULL,
    width integer DEFAULT 0 NOT NULL,
    records integer NOT NULL,
    heading boolean DEFAULT false NOT NULL,
    mapping jsonb,
    state text NOT NULL,
    "position" bigint DEFAULT 0 NOT NULL,
    done integer DEFAULT 0 NOT NULL,
    added integer DEFAULT 0 NOT NULL,
    refused integer DEFAULT 0 NOT NULL,
    problem text,
    attempts integer DEFAULT 0 NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    started_at timestamp(3) with time zone,
    seen_at timestamp(3) with time zone,
    finished_at timestamp(3) with time zone,
    CONSTRAINT recipient_source_kind CHECK (((file_key IS NULL) = (audience IS NOT NULL))),
    CONSTRAINT recipient_source_state CHECK ((state = ANY (ARRAY['ready'::text, 'waiting'::text, 'running'::text, 'paused'::text, 'done'::text, 'failed'::text, 'cancelled'::text, 'undoing'::text, 'undone'::text]))),
    CONSTRAINT recipient_source_pkey PRIMARY KEY (pk)
);
CREATE UNIQUE INDEX recipient_source_id_key ON recipient_source (id);
CREATE INDEX recipient_source_list ON recipient_source (campaign_pk, pk DESC);
CREATE INDEX recipient_source_open ON recipient_source (seen_at) WHERE (state = ANY (ARRAY['waiting'::text, 'running'::text, 'undoing'::text]));
CREATE INDEX recipient_source_workspace ON recipient_source (workspace_pk);

CREATE TABLE recipient_source_chunk (
    source_pk bigint NOT NULL,
    first_row integer NOT NULL,
    refusals jsonb NOT NULL,
    CONSTRAINT recipient_source_chunk_pkey PRIMARY KEY (source_pk, first_row)
);

CREATE TABLE recovery_code (
    user_pk integer NOT NULL,
    hash bytea NOT NULL,
    CONSTRAINT recovery_code_pkey PRIMARY KEY (user_pk, hash)
);

CREATE TABLE recycled_code (
    pk bigint NOT NULL,
    domain_pk integer NOT NULL,
    ready_at timestamp(3) with time zone NOT NULL,
    drawn_at timestamp(3) with time zone,
    CONSTRAINT recycled_code_pkey PRIMARY KEY (pk)
);
CREATE INDEX recycled_code_free ON recycled_code (domain_pk, ready_at) WHERE (drawn_at IS NULL);

CREATE TABLE refused_job (
    id text NOT NULL,
    workspace_pk integer,
    actor text NOT NULL,
    reason text NOT NULL,
    cursor_workspace_pk integer DEFAULT 0 NOT NULL,
    cursor_id uuid NOT NULL,
    checked bigint DEFAULT 0 NOT NULL,
    disabled bigint DEFAULT 0 NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    finished_at timestamp(3) with time zone,
    CONSTRAINT refused_job_pkey PRIMARY KEY (id)
);
-- At most one open job.
CREATE UNIQUE INDEX refused_job_open ON refused_job ((true)) WHERE (finished_at IS NULL);

CREATE TABLE replica_beat (
    "only" smallint DEFAULT 1 NOT NULL,
    at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT replica_beat_only CHECK (("only" = 1)),
    CONSTRAINT replica_beat_pkey PRIMARY KEY ("only")
);

CREATE TABLE reputation_service (
    name text NOT NULL,
    revision bigint DEFAULT 0 NOT NULL,
    failures integer DEFAULT 0 NOT NULL,
    paused_until timestamp(3) with time zone,
    walked_pk bigint DEFAULT 0 NOT NULL,
    walk_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    CONSTRAINT reputation_service_pkey PRIMARY KEY (name)
);

CREATE TABLE retirement_round (
    workspace_pk integer NOT NULL,
    next_at timestamp(3) with time zone NOT NULL,
    checked_at timestamp(3) with time zone,
    rules text,
    after_id uuid,
    warned_until timestamp(3) with time zone,
    CONSTRAINT retirement_round_pkey PRIMARY KEY (workspace_pk)
);
CREATE INDEX retirement_round_next_at_idx ON retirement_round (next_at);

CREATE TABLE saved_view (
    pk serial,
    id text NOT NULL,
    workspace_pk integer NOT NULL,
    user_pk integer NOT NULL,
    name text NOT NULL,
    search text NOT NULL,
    shared boolean NOT NULL,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT saved_view_pkey PRIMARY KEY (pk)
);
CREATE UNIQUE INDEX saved_view_id_key ON saved_view (id);
CREATE UNIQUE INDEX saved_view_workspace_pk_user_pk_name_key ON saved_view (workspace_pk, user_pk, name);

CREATE TABLE search_era (
    pk serial,
    workspace_pk integer NOT NULL,
    after_id uuid NOT NULL,
    links integer NOT NULL,
    CONSTRAINT search_era_pkey PRIMARY KEY (pk)
);
CREATE UNIQUE INDEX search_era_after ON search_era (workspace_pk, after_id DESC);

CREATE TABLE session (
    id text NOT NULL,
    user_pk integer NOT NULL,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    last_seen_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    ended_at timestamp(3) with time zone,
    agent text,
    password_at timestamp(3) with time zone,
    email_at timestamp(3) with time zone,
    oauth_at timestamp(3) with time zone,
    factor_at timestamp(3) with time zone,
    factor_due_at timestamp(3) with time zone,
    office_at timestamp(3) with time zone,
    idle_seconds integer DEFAULT 0 NOT NULL,
    CONSTRAINT session_pkey PRIMARY KEY (id)
);
CREATE INDEX session_user_pk_idx ON session (user_pk);

CREATE TABLE share (
    pk serial,
    id text NOT NULL,
    workspace_pk integer NOT NULL,
    name text NOT NULL,
    kind text NOT NULL,
    subject_pk bigint,
    parts text[],
    days_max integer,
    token_hash text NOT NULL,
    password_hash text,
    ends_at timestamp(3) with time zone,
    made_by text NOT NULL,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    annotations boolean DEFAULT false NOT NULL,
    sealed_token bytea,
    CONSTRAINT share_pkey PRIMARY KEY (pk)
);
CREATE UNIQUE INDEX share_id_key ON share (id);
CREATE INDEX share_made_by_idx ON share (made_by);
CREATE UNIQUE INDEX share_token_hash_key ON share (token_hash);
CREATE INDEX share_workspace_pk_idx ON share (workspace_pk);

CREATE TABLE sms_gateway (
    pk serial,
    id text NOT NULL,
    workspace_pk integer NOT NULL,
    name text NOT NULL,
    settings jsonb NOT NULL,
    sealed bytea NOT NULL,
    token_hash bytea NOT NULL,
    rate smallint NOT NULL,
    next_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    CONSTRAINT sms_gateway_rate CHECK ((rate > 0)),
    CONSTRAINT sms_gateway_pkey PRIMARY KEY (pk)
);
CREATE UNIQUE INDEX sms_gateway_id_key ON sms_gateway (id);
CREATE INDEX sms_gateway_list ON sms_gateway (workspace_pk, pk DESC);
CREATE UNIQUE INDEX sms_gateway_token ON sms_gateway (token_hash);

CREATE TABLE social_image (
    pk serial,
    id text NOT NULL,
    workspace_pk integer NOT NULL,
    hash text NOT NULL,
    jpeg bytea NOT NULL,
    width integer NOT NULL,
    height integer NOT NULL,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT social_image_pkey PRIMARY KEY (pk)
);
CREATE UNIQUE INDEX social_image_id_key ON social_image (id);
CREATE UNIQUE INDEX social_image_workspace_pk_hash_key ON social_image (workspace_pk, hash);

CREATE TABLE tag (
    pk serial,
    id text NOT NULL,
    workspace_pk integer NOT NULL,
    name text NOT NULL,
    color text NOT NULL,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT tag_pkey PRIMARY KEY (pk)
);
CREATE UNIQUE INDEX tag_id_key ON tag (id);
-- Names that differ only in capitals are the same name.
CREATE UNIQUE INDEX tag_name ON tag (workspace_pk, lower(name));

CREATE TABLE takeout (
    id text NOT NULL,
    workspace_pk integer NOT NULL,
    user_pk integer NOT NULL,
    state text DEFAULT 'waiting'::text NOT NULL,
    done bigint DEFAULT 0 NOT NULL,
    bytes bigint,
    error text,
    attempts integer DEFAULT 0 NOT NULL,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    seen_at timestamp(3) with time zone,
    finished_at timestamp(3) with time zone,
    CONSTRAINT takeout_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX takeout_open ON takeout (workspace_pk) WHERE (state = ANY (ARRAY['waiting'::text, 'running'::text]));
CREATE INDEX takeout_workspace_pk_created_at_idx ON takeout (workspace_pk, created_at DESC);

CREATE TABLE tracking_key (
    pk serial,
    id text NOT NULL,
    workspace_pk integer NOT NULL,
    name text NOT NULL,
    key text NOT NULL,
    hosts text[] NOT NULL,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT tracking_key_pkey PRIMARY KEY (pk)
);
CREATE UNIQUE INDEX tracking_key_id_key ON tracking_key (id);
CREATE UNIQUE INDEX tracking_key_key_key ON tracking_key (key);
CREATE INDEX tracking_key_list ON tracking_key (workspace_pk, pk DESC);

CREATE TABLE utm_template (
    pk serial,
    id text NOT NULL,
    workspace_pk integer NOT NULL,
    name text NOT NULL,
    utm_source text,
    utm_medium text,
    utm_campaign text,
    utm_term text,
    utm_content text,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    ref text,
    user_id text,
    CONSTRAINT utm_template_pkey PRIMARY KEY (pk)
);
CREATE UNIQUE INDEX utm_template_id_key ON utm_template (id);
CREATE UNIQUE INDEX utm_template_workspace_pk_name_key ON utm_template (workspace_pk, name);

CREATE TABLE webhook (
    pk serial,
    id text NOT NULL,
    workspace_pk integer NOT NULL,
    user_pk integer,
    name text NOT NULL,
    url text NOT NULL,
    format text NOT NULL,
    events text[] NOT NULL,
    domains text[] NOT NULL,
    folder_ids text[] NOT NULL,
    tag_ids text[] NOT NULL,
    chosen_links boolean NOT NULL,
    ordered boolean NOT NULL,
    sealed bytea NOT NULL,
    previous_until timestamp(3) with time zone,
    state text DEFAULT 'active'::text NOT NULL,
    failing_since timestamp(3) with time zone,
    failures integer DEFAULT 0 NOT NULL,
    waiting integer DEFAULT 0 NOT NULL,
    dropped bigint DEFAULT 0 NOT NULL,
    due_at timestamp(3) with time zone,
    lease uuid,
    lease_until timestamp(3) with time zone,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    language text DEFAULT 'en'::text NOT NULL,
    disabled_reason text,
    people boolean DEFAULT false NOT NULL,
    CONSTRAINT webhook_pkey PRIMARY KEY (pk)
);
CREATE INDEX webhook_due ON webhook (due_at) WHERE (state = 'active'::text);
CREATE UNIQUE INDEX webhook_id_key ON webhook (id);
CREATE INDEX webhook_leased ON webhook (lease_until) WHERE (lease_until IS NOT NULL);
CREATE INDEX webhook_list ON webhook (workspace_pk, pk DESC);

CREATE TABLE webhook_delivery (
    webhook_pk integer NOT NULL,
    event_pk bigint NOT NULL,
    link_id text,
    state text DEFAULT 'waiting'::text NOT NULL,
    attempts smallint DEFAULT 0 NOT NULL,
    due_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    attempted_at timestamp(3) with time zone,
    status smallint,
    ms integer,
    response text,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT webhook_delivery_pkey PRIMARY KEY (webhook_pk, event_pk)
);
CREATE INDEX webhook_delivery_due ON webhook_delivery (webhook_pk, due_at, event_pk) WHERE (state = 'waiting'::text);
CREATE INDEX webhook_delivery_event ON webhook_delivery (event_pk);
CREATE INDEX webhook_delivery_link ON webhook_delivery (webhook_pk, link_id, event_pk) WHERE (state = 'waiting'::text);

CREATE TABLE webhook_event (
    pk bigserial,
    id text NOT NULL,
    workspace_pk integer NOT NULL,
    type text NOT NULL,
    link_id text,
    data jsonb NOT NULL,
    at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT webhook_event_pkey PRIMARY KEY (pk)
);
CREATE INDEX webhook_event_at ON webhook_event (at);
CREATE UNIQUE INDEX webhook_event_id_key ON webhook_event (id);
CREATE INDEX webhook_event_workspace ON webhook_event (workspace_pk);

CREATE TABLE webhook_outbox (
    pk bigserial,
    workspace_pk integer NOT NULL,
    events json NOT NULL,
    size smallint NOT NULL,
    at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT webhook_outbox_pkey PRIMARY KEY (pk)
);
CREATE INDEX webhook_outbox_at ON webhook_outbox (at);
CREATE INDEX webhook_outbox_workspace ON webhook_outbox (workspace_pk, pk);

CREATE TABLE wechat_account (
    pk serial,
    id text NOT NULL,
    workspace_pk integer NOT NULL,
    kind text NOT NULL,
    name text NOT NULL,
    app_id text NOT NULL,
    sealed bytea NOT NULL,
    problem text,
    errcode integer,
    address text,
    problem_at timestamp(3) with time zone,
    attempts integer DEFAULT 0 NOT NULL,
    next_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    ticket_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    user_problem text,
    user_errcode integer,
    user_address text,
    user_problem_at timestamp(3) with time zone,
    virtual_users integer DEFAULT 0 NOT NULL,
    CONSTRAINT wechat_account_pkey PRIMARY KEY (pk)
);
CREATE UNIQUE INDEX wechat_account_app ON wechat_account (workspace_pk, app_id);
CREATE UNIQUE INDEX wechat_account_id_key ON wechat_account (id);
CREATE INDEX wechat_account_ticket ON wechat_account (ticket_at) WHERE (kind = 'officialAccount'::text);

CREATE TABLE wechat_code (
    pk bigserial,
    id uuid NOT NULL,
    workspace_pk integer NOT NULL,
    account_pk integer NOT NULL,
    contact_pk bigint,
    form_pk integer NOT NULL,
    form_version integer NOT NULL,
    link_pk bigint NOT NULL,
    is_new boolean NOT NULL,
    profile boolean NOT NULL,
    stage text DEFAULT 'code'::text NOT NULL,
    key_version smallint NOT NULL,
    sealed bytea NOT NULL,
    due_at timestamp(3) with time zone NOT NULL,
    attempts smallint DEFAULT 0 NOT NULL,
    leased_until timestamp(3) with time zone,
    valid_until timestamp(3) with time zone NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT wechat_code_pkey PRIMARY KEY (pk)
);
CREATE INDEX wechat_code_account ON wechat_code (account_pk);
CREATE INDEX wechat_code_contact ON wechat_code (contact_pk);
CREATE INDEX wechat_code_due ON wechat_code (due_at) WHERE (stage <> 'done'::text);
CREATE INDEX wechat_code_form ON wechat_code (form_pk);
CREATE UNIQUE INDEX wechat_code_id_key ON wechat_code (id);
CREATE INDEX wechat_code_workspace ON wechat_code (workspace_pk, leased_until);

CREATE TABLE wechat_domain (
    pk serial,
    workspace_pk integer NOT NULL,
    account_pk integer NOT NULL,
    domain_pk integer NOT NULL,
    host text NOT NULL,
    file_name text,
    file_content text,
    callback boolean DEFAULT false NOT NULL,
    CONSTRAINT wechat_domain_pkey PRIMARY KEY (pk)
);
CREATE INDEX wechat_domain_account ON wechat_domain (account_pk);
CREATE UNIQUE INDEX wechat_domain_domain ON wechat_domain (domain_pk);
CREATE INDEX wechat_domain_workspace ON wechat_domain (workspace_pk);

CREATE TABLE wechat_page (
    pk serial,
    workspace_pk integer NOT NULL,
    account_pk integer NOT NULL,
    path text NOT NULL,
    url_link text,
    expires_at timestamp(3) with time zone,
    revision bigint DEFAULT 0 NOT NULL,
    problem text,
    attempts integer DEFAULT 0 NOT NULL,
    next_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT wechat_page_pkey PRIMARY KEY (pk)
);
CREATE INDEX wechat_page_due ON wechat_page (next_at);
CREATE UNIQUE INDEX wechat_page_path ON wechat_page (account_pk, path);
CREATE INDEX wechat_page_workspace ON wechat_page (workspace_pk);

CREATE TABLE workspace (
    pk serial,
    id text NOT NULL,
    name text NOT NULL,
    slug text NOT NULL,
    zone text DEFAULT 'UTC'::text NOT NULL,
    plan text DEFAULT 'enterprise'::text NOT NULL,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    deleted_at timestamp(3) with time zone,
    reuse_seconds integer,
    repeat_seconds integer,
    removing_at timestamp(3) with time zone,
    lifetime_seconds integer,
    forward_query boolean DEFAULT false NOT NULL,
    demo boolean DEFAULT false NOT NULL,
    retire_api_days integer,
    retire_people_days integer,
    retire_from_creation boolean DEFAULT false NOT NULL,
    plan_limits jsonb,
    plan_source text DEFAULT 'default'::text NOT NULL,
    plan_ends_at timestamp(3) with time zone,
    trial_at timestamp(3) with time zone,
    banned_at timestamp(3) with time zone,
    contact_days integer,
    session_idle_minutes integer,
    session_hours integer,
    code_countries text[] DEFAULT ARRAY[]::text[],
    codes_per_day integer DEFAULT 500 NOT NULL,
    codes_stopped boolean DEFAULT false NOT NULL,
    CONSTRAINT workspace_pkey PRIMARY KEY (pk)
);
CREATE INDEX workspace_contact_days ON workspace (contact_days) WHERE (contact_days IS NOT NULL);
CREATE INDEX workspace_deleted ON workspace (deleted_at) WHERE (deleted_at IS NOT NULL);
CREATE UNIQUE INDEX workspace_id_key ON workspace (id);
CREATE INDEX workspace_name_search ON workspace (lower(name) text_pattern_ops);
CREATE INDEX workspace_plan_ends ON workspace (plan_ends_at) WHERE (plan_ends_at IS NOT NULL);
CREATE INDEX workspace_search ON workspace (lower(slug) text_pattern_ops);
CREATE UNIQUE INDEX workspace_slug_key ON workspace (slug);

-- Foreign keys

ALTER TABLE annotation
    ADD CONSTRAINT annotation_workspace_pk_fkey FOREIGN KEY (workspace_pk) REFERENCES workspace(pk) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE announcement_closed
    ADD CONSTRAINT announcement_closed_announcement_pk_fkey FOREIGN KEY (announcement_pk) REFERENCES announcement(pk) ON UPDATE CASCADE ON DELETE CASCADE,
    ADD CONSTRAINT announcement_closed_user_pk_fkey FOREIGN KEY (user_pk) REFERENCES app_user(pk) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE api_key
    ADD CONSTRAINT api_key_user_pk_fkey FOREIGN KEY (user_pk) REFERENCES app_user(pk) ON UPDATE CASCADE ON DELETE CASCADE,
    ADD CONSTRAINT api_key_workspace_pk_fkey FOREIGN KEY (workspace_pk) REFERENCES workspace(pk) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ban_recipient
    ADD CONSTRAINT ban_recipient_ban_pk_fkey FOREIGN KEY (ban_pk) REFERENCES ban(pk) ON UPDATE CASCADE ON DELETE CASCADE,
    ADD CONSTRAINT ban_recipient_user_pk_fkey FOREIGN KEY (user_pk) REFERENCES app_user(pk) ON UPDATE CASCADE ON DELETE CASCADE,
    ADD CONSTRAINT ban_recipient_workspace_pk_fkey FOREIGN KEY (workspace_pk) REFERENCES workspace(pk) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ban
    ADD CONSTRAINT ban_user_pk_fkey FOREIGN KEY (user_pk) REFERENCES app_user(pk) ON UPDATE CASCADE ON DELETE CASCADE,
    ADD CONSTRAINT ban_workspace_pk_fkey FOREIGN KEY (workspace_pk) REFERENCES workspace(pk) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE billing_account
    ADD CONSTRAINT billing_account_workspace_pk_fkey FOREIGN KEY (workspace_pk) REFERENCES workspace(pk) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE bulk_job
    ADD CONSTRAINT bulk_job_workspace_pk_fkey FOREIGN KEY (workspace_pk) REFERENCES workspace(pk) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE campaign_recipient
    ADD CONSTRAINT campaign_recipient_campaign_pk_fkey FOREIGN KEY (campaign_pk) REFERENCES campaign(pk) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE campaign_send
    ADD CONSTRAINT campaign_send_campaign_pk_position_fkey FOREIGN KEY (campaign_pk, "position") REFERENCES campaign_recipient(campaign_pk, "position") ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE campaign_sending
    ADD CONSTRAINT campaign_sending_campaign_pk_fkey FOREIGN KEY (campaign_pk) REFERENCES campaign(pk) ON UPDATE CASCADE ON DELETE CASCADE,
    ADD CONSTRAINT campaign_sending_gateway_pk_fkey FOREIGN KEY (gateway_pk) REFERENCES sms_gateway(pk) ON UPDATE CASCADE ON DELETE SET NULL;
ALTER TABLE campaign
    ADD CONSTRAINT campaign_workspace_pk_fkey FOREIGN KEY (workspace_pk) REFERENCES workspace(pk) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE contact_alias
    ADD CONSTRAINT contact_alias_contact_pk_fkey FOREIGN KEY (contact_pk) REFERENCES contact(pk) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE contact_answer
    ADD CONSTRAINT contact_answer_contact_pk_fkey FOREIGN KEY (contact_pk) REFERENCES contact(pk) ON UPDATE CASCADE ON DELETE CASCADE,
    ADD CONSTRAINT contact_answer_form_pk_fkey FOREIGN KEY (form_pk) REFERENCES form(pk) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE contact_visit
    ADD CONSTRAINT contact_visit_contact_pk_fkey FOREIGN KEY (contact_pk) REFERENCES contact(pk) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE contact_wechat
    ADD CONSTRAINT contact_wechat_contact_pk_fkey FOREIGN KEY (contact_pk) REFERENCES contact(pk) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE contact
    ADD CONSTRAINT contact_workspace_pk_fkey FOREIGN KEY (workspace_pk) REFERENCES workspace(pk) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE customer
    ADD CONSTRAINT customer_workspace_pk_fkey FOREIGN KEY (workspace_pk) REFERENCES workspace(pk) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE deleted_link
    ADD CONSTRAINT deleted_link_workspace_pk_fkey FOREIGN KEY (workspace_pk) REFERENCES workspace(pk) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE destination_list
    ADD CONSTRAINT destination_list_workspace_pk_fkey FOREIGN KEY (workspace_pk) REFERENCES workspace(pk) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE domain_alarm
    ADD CONSTRAINT domain_alarm_domain_pk_fkey FOREIGN KEY (domain_pk) REFERENCES domain(pk) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE domain_health
    ADD CONSTRAINT domain_health_domain_pk_fkey FOREIGN KEY (domain_pk) REFERENCES domain(pk) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE domain
    ADD CONSTRAINT domain_workspace_pk_fkey FOREIGN KEY (workspace_pk) REFERENCES workspace(pk) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE factor_undo
    ADD CONSTRAINT factor_undo_user_pk_fkey FOREIGN KEY (user_pk) REFERENCES app_user(pk) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE folder
    ADD CONSTRAINT folder_workspace_pk_fkey FOREIGN KEY (workspace_pk) REFERENCES workspace(pk) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE form
    ADD CONSTRAINT form_gateway_pk_fkey FOREIGN KEY (gateway_pk) REFERENCES sms_gateway(pk) ON UPDATE CASCADE,
    ADD CONSTRAINT form_workspace_pk_fkey FOREIGN KEY (workspace_pk) REFERENCES workspace(pk) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE form_version
    ADD CONSTRAINT form_version_form_pk_fkey FOREIGN KEY (form_pk) REFERENCES form(pk) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE identity
    ADD CONSTRAINT identity_user_pk_fkey FOREIGN KEY (user_pk) REFERENCES app_user(pk) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE import_chunk
    ADD CONSTRAINT import_chunk_import_id_fkey FOREIGN KEY (import_id) REFERENCES import(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE import
    ADD CONSTRAINT import_workspace_pk_fkey FOREIGN KEY (workspace_pk) REFERENCES workspace(pk) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE importer_page
    ADD CONSTRAINT importer_page_importer_id_fkey FOREIGN KEY (importer_id) REFERENCES importer(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE importer
    ADD CONSTRAINT importer_workspace_pk_fkey FOREIGN KEY (workspace_pk) REFERENCES workspace(pk) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE invitation
    ADD CONSTRAINT invitation_workspace_pk_fkey FOREIGN KEY (workspace_pk) REFERENCES workspace(pk) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE key_app
    ADD CONSTRAINT key_app_api_key_pk_fkey FOREIGN KEY (api_key_pk) REFERENCES api_key(pk) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE key_use
    ADD CONSTRAINT key_use_api_key_pk_fkey FOREIGN KEY (api_key_pk) REFERENCES api_key(pk) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE link_allowance
    ADD CONSTRAINT link_allowance_link_pk_fkey FOREIGN KEY (link_pk) REFERENCES link(pk) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE link_report
    ADD CONSTRAINT link_report_workspace_pk_fkey FOREIGN KEY (workspace_pk) REFERENCES workspace(pk) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE link_reputation
    ADD CONSTRAINT link_reputation_link_pk_fkey FOREIGN KEY (link_pk) REFERENCES link(pk) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE link_tag
    ADD CONSTRAINT link_tag_link_pk_fkey FOREIGN KEY (link_pk) REFERENCES link(pk) ON UPDATE CASCADE ON DELETE CASCADE,
    ADD CONSTRAINT link_tag_tag_pk_fkey FOREIGN KEY (tag_pk) REFERENCES tag(pk) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE list_job_step
    ADD CONSTRAINT list_job_step_job_id_fkey FOREIGN KEY (job_id) REFERENCES list_job(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE list_job
    ADD CONSTRAINT list_job_workspace_pk_fkey FOREIGN KEY (workspace_pk) REFERENCES workspace(pk) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE membership
    ADD CONSTRAINT membership_user_pk_fkey FOREIGN KEY (user_pk) REFERENCES app_user(pk) ON UPDATE CASCADE ON DELETE CASCADE,
    ADD CONSTRAINT membership_workspace_pk_fkey FOREIGN KEY (workspace_pk) REFERENCES workspace(pk) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE notice
    ADD CONSTRAINT notice_user_pk_fkey FOREIGN KEY (user_pk) REFERENCES app_user(pk) ON UPDATE CASCADE ON DELETE CASCADE,
    ADD CONSTRAINT notice_workspace_pk_fkey FOREIGN KEY (workspace_pk) REFERENCES workspace(pk) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE opt_out
    ADD CONSTRAINT opt_out_workspace_pk_fkey FOREIGN KEY (workspace_pk) REFERENCES workspace(pk) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE page_look
    ADD CONSTRAINT page_look_workspace_pk_fkey FOREIGN KEY (workspace_pk) REFERENCES workspace(pk) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE people_key
    ADD CONSTRAINT people_key_workspace_pk_fkey FOREIGN KEY (workspace_pk) REFERENCES workspace(pk) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE phone_code
    ADD CONSTRAINT phone_code_form_pk_fkey FOREIGN KEY (form_pk) REFERENCES form(pk) ON UPDATE CASCADE ON DELETE CASCADE,
    ADD CONSTRAINT phone_code_workspace_pk_fkey FOREIGN KEY (workspace_pk) REFERENCES workspace(pk) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE phone_code_hour
    ADD CONSTRAINT phone_code_hour_workspace_pk_fkey FOREIGN KEY (workspace_pk) REFERENCES workspace(pk) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE plan_payment
    ADD CONSTRAINT plan_payment_workspace_pk_fkey FOREIGN KEY (workspace_pk) REFERENCES workspace(pk) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE plan_warning
    ADD CONSTRAINT plan_warning_workspace_pk_fkey FOREIGN KEY (workspace_pk) REFERENCES workspace(pk) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE proof
    ADD CONSTRAINT proof_user_pk_fkey FOREIGN KEY (user_pk) REFERENCES app_user(pk) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE qr_logo
    ADD CONSTRAINT qr_logo_workspace_pk_fkey FOREIGN KEY (workspace_pk) REFERENCES workspace(pk) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE qr_template
    ADD CONSTRAINT qr_template_logo_pk_fkey FOREIGN KEY (logo_pk) REFERENCES qr_logo(pk) ON UPDATE CASCADE,
    ADD CONSTRAINT qr_template_workspace_pk_fkey FOREIGN KEY (workspace_pk) REFERENCES workspace(pk) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE quota_use
    ADD CONSTRAINT quota_use_workspace_pk_fkey FOREIGN KEY (workspace_pk) REFERENCES workspace(pk) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE recipient_source
    ADD CONSTRAINT recipient_source_campaign_pk_fkey FOREIGN KEY (campaign_pk) REFERENCES campaign(pk) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE recipient_source_chunk
    ADD CONSTRAINT recipient_source_chunk_source_pk_fkey FOREIGN KEY (source_pk) REFERENCES recipient_source(pk) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE recovery_code
    ADD CONSTRAINT recovery_code_user_pk_fkey FOREIGN KEY (user_pk) REFERENCES app_user(pk) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE refused_job
    ADD CONSTRAINT refused_job_workspace_pk_fkey FOREIGN KEY (workspace_pk) REFERENCES workspace(pk) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE retirement_round
    ADD CONSTRAINT retirement_round_workspace_pk_fkey FOREIGN KEY (workspace_pk) REFERENCES workspace(pk) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE saved_view
    ADD CONSTRAINT saved_view_user_pk_fkey FOREIGN KEY (user_pk) REFERENCES app_user(pk) ON UPDATE CASCADE ON DELETE CASCADE,
    ADD CONSTRAINT saved_view_workspace_pk_fkey FOREIGN KEY (workspace_pk) REFERENCES workspace(pk) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE session
    ADD CONSTRAINT session_user_pk_fkey FOREIGN KEY (user_pk) REFERENCES app_user(pk) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE share
    ADD CONSTRAINT share_workspace_pk_fkey FOREIGN KEY (workspace_pk) REFERENCES workspace(pk) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE sms_gateway
    ADD CONSTRAINT sms_gateway_workspace_pk_fkey FOREIGN KEY (workspace_pk) REFERENCES workspace(pk) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE social_image
    ADD CONSTRAINT social_image_workspace_pk_fkey FOREIGN KEY (workspace_pk) REFERENCES workspace(pk) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE tag
    ADD CONSTRAINT tag_workspace_pk_fkey FOREIGN KEY (workspace_pk) REFERENCES workspace(pk) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE takeout
    ADD CONSTRAINT takeout_workspace_pk_fkey FOREIGN KEY (workspace_pk) REFERENCES workspace(pk) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE tracking_key
    ADD CONSTRAINT tracking_key_workspace_pk_fkey FOREIGN KEY (workspace_pk) REFERENCES workspace(pk) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE utm_template
    ADD CONSTRAINT utm_template_workspace_pk_fkey FOREIGN KEY (workspace_pk) REFERENCES workspace(pk) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE webhook_delivery
    ADD CONSTRAINT webhook_delivery_event_pk_fkey FOREIGN KEY (event_pk) REFERENCES webhook_event(pk) ON UPDATE CASCADE ON DELETE CASCADE,
    ADD CONSTRAINT webhook_delivery_webhook_pk_fkey FOREIGN KEY (webhook_pk) REFERENCES webhook(pk) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE webhook_event
    ADD CONSTRAINT webhook_event_workspace_pk_fkey FOREIGN KEY (workspace_pk) REFERENCES workspace(pk) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE webhook_outbox
    ADD CONSTRAINT webhook_outbox_workspace_pk_fkey FOREIGN KEY (workspace_pk) REFERENCES workspace(pk) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE webhook
    ADD CONSTRAINT webhook_user_pk_fkey FOREIGN KEY (user_pk) REFERENCES app_user(pk) ON UPDATE CASCADE ON DELETE SET NULL,
    ADD CONSTRAINT webhook_workspace_pk_fkey FOREIGN KEY (workspace_pk) REFERENCES workspace(pk) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE wechat_account
    ADD CONSTRAINT wechat_account_workspace_pk_fkey FOREIGN KEY (workspace_pk) REFERENCES workspace(pk) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE wechat_code
    ADD CONSTRAINT wechat_code_account_pk_fkey FOREIGN KEY (account_pk) REFERENCES wechat_account(pk) ON UPDATE CASCADE ON DELETE CASCADE,
    ADD CONSTRAINT wechat_code_contact_pk_fkey FOREIGN KEY (contact_pk) REFERENCES contact(pk) ON UPDATE CASCADE ON DELETE CASCADE,
    ADD CONSTRAINT wechat_code_form_pk_fkey FOREIGN KEY (form_pk) REFERENCES form(pk) ON UPDATE CASCADE ON DELETE CASCADE,
    ADD CONSTRAINT wechat_code_workspace_pk_fkey FOREIGN KEY (workspace_pk) REFERENCES workspace(pk) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE wechat_domain
    ADD CONSTRAINT wechat_domain_account_pk_fkey FOREIGN KEY (account_pk) REFERENCES wechat_account(pk) ON UPDATE CASCADE ON DELETE CASCADE,
    ADD CONSTRAINT wechat_domain_domain_pk_fkey FOREIGN KEY (domain_pk) REFERENCES domain(pk) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE wechat_page
    ADD CONSTRAINT wechat_page_account_pk_fkey FOREIGN KEY (account_pk) REFERENCES wechat_account(pk) ON UPDATE CASCADE ON DELETE CASCADE;

-- Functions of tables, and triggers

-- The newest clicks of a workspace. A PL/pgSQL function, because Citus refuses the subquery when it is called for many.
CREATE FUNCTION analytics.newest_clicks(of_workspace integer, since timestamp with time zone, max integer) RETURNS SETOF analytics.click
    LANGUAGE plpgsql STABLE
    AS $$
BEGIN
  RETURN QUERY
    SELECT *
    FROM analytics.click
    WHERE workspace_pk = of_workspace AND at >= since
    ORDER BY at DESC
    LIMIT max;
END
$$;

-- A deleted workspace leaves the order to erase its clicks.
CREATE FUNCTION analytics.note_deleted_workspaces() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO analytics.erasure (workspace_pk)
    SELECT pk
    FROM gone;
    RETURN NULL;
END
$$;

CREATE TRIGGER erasure_of_workspaces AFTER DELETE ON workspace REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION analytics.note_deleted_workspaces();
