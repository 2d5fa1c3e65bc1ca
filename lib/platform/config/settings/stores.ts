/** Where Fuxi runs, and its stores. */
import {
  address,
  integer,
  oneOf,
  optional,
  redisAddresses,
  secret,
  setting,
  text,
} from "../parsers.ts";
import { postgresUrl, postgresUrls } from "../values.ts";

export const storesSettings = {
  NODE_ENV: setting(
    "development enables hot reloading and the weaker Content-Security-Policy that it needs.",
    oneOf("production", "development", "test"),
    "production",
  ),
  HOST: setting("IP address or host that the public port listens on.", text, "127.0.0.1"),
  PORT: setting("Public port.", integer(1, 65_535), "3000"),
  FUXI_DATA_DIR: setting("Folder for the database, secrets, spool and files.", text, ".fuxi"),
  FUXI_S3_URL: optional(
    "URL of a bucket in an S3-compatible store for uploaded and exported files, such as https://s3.eu-central-1.amazonaws.com/fuxi-files. Empty: they are in FUXI_DATA_DIR.",
    address("http", "https"),
  ),
  FUXI_S3_REGION: setting("Region of the bucket.", text, "us-east-1"),
  FUXI_S3_KEY_ID: secret(optional("Access key ID for the bucket.", text)),
  FUXI_S3_SECRET: secret(optional("Secret access key for the bucket.", text)),
  FUXI_S3_PUBLIC_URL: optional(
    "URL of the same bucket that browsers can reach. They download exports from there, with a URL that is signed for 5 minutes. Empty: downloads pass through Fuxi.",
    address("http", "https"),
  ),
  FUXI_IMPORTS_GB_MAX: setting(
    "Maximum total size of the stored import files of all workspaces, in GB; that of their files of recipients is the same.",
    integer(1, 1_000_000),
    "100",
  ),
  DATABASE_URL: secret(
    setting(
      "URL of PostgreSQL. Several servers, of which the primary is used: postgres://user:password@a:5432,b:5432/fuxi?target_session_attrs=read-write. If not set, npm start runs its own PostgreSQL.",
      postgresUrl,
    ),
  ),
  DATABASE_READ_URL: secret(
    setting(
      "Comma-separated URLs of replicas, for redirects of links that are not cached, analytics and exports. Empty: the primary answers everything.",
      postgresUrls,
      "",
    ),
  ),
  DATABASE_READ_LAG_MAX_MS: setting(
    "Milliseconds by which an answer of a replica may be behind the primary. A replica that is further behind isn’t used.",
    integer(400, 30_000),
    "2000",
  ),
  DATABASE_POOLER: setting(
    "transaction: DATABASE_URL and DATABASE_READ_URL are poolers that share connections between transactions, such as PgBouncer with pool_mode=transaction. Then no statement is prepared, and the pooler or the database limits its time. none: they are not.",
    oneOf("none", "transaction"),
    "none",
  ),
  DATABASE_DIRECT_URL: secret(
    optional(
      "URL of PostgreSQL without such a pooler, for migrations. Empty: DATABASE_URL.",
      postgresUrl,
    ),
  ),
  DATABASE_POOL_MAX: setting(
    "Maximum connections per process to PostgreSQL, and to each replica.",
    integer(2, 200),
    "10",
  ),
  REDIS_URL: secret(
    setting(
      "URL of Redis, with AOF enabled and maxmemory-policy noeviction. Separate the nodes of a cluster with commas. With Sentinel: sentinel://user:password@a:26379,b:26379/mymaster. If not set, npm start runs its own Redis.",
      redisAddresses,
    ),
  ),
  REDIS_CACHE_URL: secret(
    optional(
      "A Redis of its own for cached links and the notices of their changes. Empty: REDIS_URL.",
      redisAddresses,
    ),
  ),
  REDIS_CLICKS_URL: secret(
    optional(
      "A Redis of its own for clicks that are not counted yet. Empty: REDIS_URL.",
      redisAddresses,
    ),
  ),
  REDIS_QUEUE_URL: secret(
    optional("A Redis of its own for jobs. Empty: REDIS_URL.", redisAddresses),
  ),
  REDIS_LIMITS_URL: secret(
    optional("A Redis of its own for rate limits. Empty: REDIS_URL.", redisAddresses),
  ),
};
