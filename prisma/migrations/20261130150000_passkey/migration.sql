CREATE TABLE passkey (
  id text PRIMARY KEY,
  user_pk integer NOT NULL REFERENCES app_user (pk) ON DELETE CASCADE ON UPDATE CASCADE,
  name text NOT NULL,
  credential_id text NOT NULL,
  public_key bytea NOT NULL,
  counter bigint NOT NULL,
  transports text[] NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  last_used_at timestamptz(3)
);
CREATE UNIQUE INDEX passkey_credential_id_key ON passkey (credential_id);
CREATE INDEX passkey_user_pk_idx ON passkey (user_pk);

ALTER TABLE session ADD COLUMN passkey_at timestamptz(3);
