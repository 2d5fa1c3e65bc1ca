/** Where Fuxi runs, and its stores. */
import { address, integer, oneOf, optional, redisAddresses, setting, text } from "../parsers.ts";

export const storesSettings = {
  NODE_ENV: setting(
    "development enables hot reloading and the weaker Content-Security-Policy that it needs.",
    oneOf("production", "development", "test"),
    "production",
  ),
  HOST: setting("IP address or host that the public port listens on.", text, "127.0.0.1"),
  PORT: setting("Public port.", integer(1, 65_535), "3000"),
  FUXI_DATA_DIR: setting("Folder for the database, secrets, spool and files.", text, ".fuxi"),
  FUXI_S3_URL: setting(
    "URL of a bucket in an S3-compatible store for uploaded and exported files, such as https://s3.eu-central-1.amazonaws.com/fuxi-files. Empty: they are in FUXI_DATA_DIR.",
    optional(address("http", "https")),
    "",
  ),
  FUXI_S3_REGION: setting("Region of the bucket.", text, "us-east-1"),
  FUXI_S3_KEY_ID: setting("Access key ID for the bucket.", optional(text), ""),
  FUXI_S3_SECRET: setting("Secret access key for the bucket.", optional(text), ""),
  FUXI_S3_PUBLIC_URL: setting(
    "URL of the same bucket that browsers can reach. They download exports from there, with a URL that is signed for 5 minutes. Empty: downloads pass through Fuxi.",
    optional(address("http", "https")),
    "",
  ),
  FUXI_IMPORTS_GB_MAX: setting(
    "Maximum total size of the stored import files of all workspaces, in GB; that of their files of recipients is the same.",
    integer(1, 1_000_000),
    "100",
  ),
  DATABASE_URL: setting(
    "URL of PostgreSQL. If not set, npm start runs its own PostgreSQL.",
    address("postgres", "postgresql"),
  ),
  DATABASE_POOL_MAX: setting("Maximum PostgreSQL connections per process.", integer(2, 200), "10"),
  REDIS_URL: setting(
    "URL of Redis, with AOF enabled and maxmemory-policy noeviction. Separate the nodes of a cluster with commas. If not set, npm start runs its own Redis.",
    redisAddresses,
  ),
};
