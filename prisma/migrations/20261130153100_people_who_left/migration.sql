-- What happens to the API keys of people whom the provider of a workspace removed.
ALTER TABLE sso_provider ADD COLUMN pauses_keys boolean DEFAULT true NOT NULL;
-- Calls are refused from then on, until an owner or admin resumes the key.
ALTER TABLE api_key ADD COLUMN paused_at timestamp(3) with time zone;

-- The place of the sign-in. Its network address is not kept.
ALTER TABLE session ADD COLUMN country text;
ALTER TABLE session ADD COLUMN city text;
