/** Processes, capacity and monitoring. */
import { reputationServices } from "#lib/basics/abuse/schema";
import {
  address,
  integer,
  logLevels,
  longerThan,
  oneOf,
  optional,
  origin,
  processes,
  secret,
  setting,
  text,
} from "../parsers.ts";

export const operationSettings = {
  FUXI_OPERATOR_TOKEN: secret(
    optional(
      "Bearer token of monitoring, for /metrics and /status on the public port. Empty: only FUXI_LOCAL_PORT answers. It opens no data; that is FUXI_ADMIN_TOKEN.",
      longerThan(24),
    ),
  ),
  FUXI_ADMIN_TOKEN: secret(
    optional(
      "Bearer token of scripts for /api/admin, with all rights of an administrator. Empty: only administrators who are signed in can use it.",
      longerThan(31),
    ),
  ),
  FUXI_PROFILE: setting(
    "Memory of npm start and the PostgreSQL and Redis that it runs. small: for machines with 1 GB. Stores of your own have their own settings.",
    oneOf("normal", "small"),
    "normal",
  ),
  FUXI_PRIORITIES: setting(
    "Whether processes that no visitor waits for get less CPU time while the CPU is short. auto: except in a container, where they could get almost none.",
    oneOf("on", "off", "auto"),
    "auto",
  ),
  FUXI_REDIRECT_PROCESSES: setting(
    "Number of processes of npm run redirect. cores: one per CPU core.",
    processes,
    "1",
  ),
  FUXI_API_RATE_PER_MINUTE: setting(
    "Maximum API requests per minute and key. If the plan has a lower limit, that one applies. 0: no limit.",
    integer(0, 10_000_000),
    "0",
  ),
  FUXI_NEW_WORKSPACE_LINKS: setting(
    "Maximum links that a workspace can create on the domains of the instance in its first 24 hours. 0: no limit.",
    integer(0, 10_000_000),
    "0",
  ),
  FUXI_REPUTATION: setting(
    "Service that checks destinations: off, safe-browsing (Google, for non-commercial use only) or web-risk (Google Web Risk, for commercial use).",
    oneOf("off", ...reputationServices),
    "off",
  ),
  FUXI_SAFE_BROWSING_KEY: secret(optional("API key of Google Safe Browsing.", text)),
  FUXI_SAFE_BROWSING_URL: setting(
    "Origin of Google Safe Browsing, or of a proxy in front of it.",
    origin,
    "https://safebrowsing.googleapis.com",
  ),
  FUXI_WEB_RISK_KEY: secret(optional("API key of Google Web Risk.", text)),
  FUXI_WEB_RISK_URL: setting(
    "Origin of Google Web Risk, or of a proxy in front of it.",
    origin,
    "https://webrisk.googleapis.com",
  ),
  FUXI_LINKS_IN_MEMORY: setting(
    "Number of links that each process caches in memory, at about 200 bytes each.",
    integer(100, 10_000_000),
    "500000",
  ),
  FUXI_SEARCH_API_LINKS: setting(
    "How many of the newest links of API keys the search of a workspace finds by a part of their slug, destination, title or comments. Older ones are found by exact values only.",
    integer(1_000, 100_000_000),
    "1000000",
  ),
  FUXI_LOCAL_PORT: setting(
    "Port of the front on loopback that answers /metrics, /status and certificate requests without a token, for programs on the same machine; no proxy may lead to it. 0: none.",
    integer(0, 65_535),
    "0",
  ),
  FUXI_TRACES_URL: optional(
    "URL of an OpenTelemetry collector that receives traces by OTLP over HTTP, such as http://localhost:4318. Empty: no traces.",
    address("http", "https"),
  ),
  FUXI_TRACES_PERCENT: setting(
    "Share of requests and jobs that are traced, in percent, unless their sender has decided.",
    integer(1, 100),
    "10",
  ),
  FUXI_DRAIN_SECONDS: setting(
    "Seconds from SIGTERM until connections are refused. In this time, /readyz answers 503 and requests are served, so that load balancers send no more.",
    integer(0, 300),
    "0",
  ),
  FUXI_WORKER_HOST: setting(
    "IP address or host that FUXI_WORKER_PORT listens on. On others than 127.0.0.1, /metrics and /status need FUXI_OPERATOR_TOKEN.",
    text,
    "127.0.0.1",
  ),
  FUXI_WORKER_PORT: setting(
    "Port for the health and metrics of a worker, on FUXI_WORKER_HOST. With npm start, the front’s /metrics has them as well. 0: none.",
    integer(0, 65_535),
    "0",
  ),
  FUXI_CLICK_SHARDS: setting("Number of Redis streams for clicks.", integer(1, 64), "1"),
  FUXI_CLICKS_KEPT_DAYS: setting(
    "Days to keep individual clicks. Stats are kept.",
    integer(8, 3_650),
    "400",
  ),
  FUXI_RETIRE_API_LINKS_DAYS: setting(
    "Days after the last visit until links created with the API retire, unless the plan, the workspace or the link says otherwise. 0: never.",
    integer(0, 3_650),
    "730",
  ),
  FUXI_RETIRE_OTHER_LINKS_DAYS: setting(
    "The same for links created in the dashboard and by imports.",
    integer(0, 3_650),
    "0",
  ),
  FUXI_REUSE_CODES: setting(
    "Issue generated codes of deleted links again on the same domain, after the link has been retired for 180 days. Never those of links with QR scans, passwords or click limits.",
    oneOf("on", "off"),
    "off",
  ),
  FUXI_LOG_LEVEL: setting("Minimum level of log messages.", oneOf(...logLevels), "info"),
};
