/** Where Fuxi runs, and its stores. */
import { address, integer, oneOf, redisAddresses, setting, text } from "../parsers.ts";

export const storesSettings = {
  NODE_ENV: setting(
    "development enables hot reloading and the weaker Content-Security-Policy that it needs.",
    oneOf("production", "development", "test"),
    "production",
  ),
  HOST: setting("IP address or host that the public port listens on.", text, "127.0.0.1"),
  PORT: setting("Public port.", integer(1, 65_535), "3000"),
  FUXI_DATA_DIR: setting("Folder for the database, secrets, spool and files.", text, ".fuxi"),
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
