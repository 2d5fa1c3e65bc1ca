-- The host where visitors create links without an account.
ALTER TABLE domain ADD COLUMN public_links boolean DEFAULT false NOT NULL;

-- Which browser may take such a link into a workspace. Without a foreign key, because links may be on other servers.
CREATE TABLE public_link (
    link_id uuid NOT NULL,
    maker_hash bytea NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    CONSTRAINT public_link_pkey PRIMARY KEY (link_id)
);
CREATE INDEX public_link_maker ON public_link (maker_hash);
CREATE INDEX public_link_created ON public_link (created_at);
