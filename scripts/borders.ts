/** The import rules, and which places may use which driver. check-borders.ts checks every import. */
type ImportRules = Readonly<Record<string, readonly string[]>>;

/** District → the districts and rooms that it may import. Its own rooms must not form a cycle. */
export const districts: ImportRules = {
  basics: [],
  platform: ["basics"],
  tenancy: ["basics", "platform"],
  identity: ["basics", "platform", "tenancy"],
  destinations: ["basics", "platform", "tenancy"],
  links: ["basics", "platform", "tenancy", "destinations"],
  audience: ["basics", "platform", "tenancy", "links"],
  redirect: [
    "basics",
    "platform",
    "tenancy/plans",
    "tenancy/webhook-events",
    "tenancy/own-networks",
    "links/link-cache",
    "links/link-columns",
    "links/distribution",
    "audience/forms",
    "audience/contacts",
    "audience/form-answers",
    "audience/phone-codes",
  ],
  analytics: ["basics", "platform", "tenancy", "links", "audience/contacts", "redirect/clicks"],
  outreach: [
    "basics",
    "platform",
    "tenancy",
    "links",
    "audience",
    "analytics/customers",
    "analytics/reports",
    "analytics/single-clicks",
  ],
  transfer: [
    "basics",
    "platform",
    "tenancy",
    "identity/sessions",
    "destinations",
    "links",
    "analytics",
    "outreach/campaigns",
    "outreach/demo-outbox",
    "outreach/gateway-accounts",
    "outreach/opt-outs",
  ],
  office: [
    "basics",
    "platform",
    "tenancy",
    "identity",
    "destinations",
    "links",
    "audience",
    "analytics",
    "outreach",
    "transfer",
  ],
};

/**
 * Folder → what it may import. `schemas` stands for schema.ts files. Components may import lib/outreach/messages and
 * lib/outreach/segments, because the campaign form shows them.
 */
export const folders: ImportRules = {
  app: ["app", "components", "docs/pictures", "lib"],
  components: ["components", "lib/outreach/messages", "lib/outreach/segments", "schemas"],
  workers: ["app/api", "lib", "workers/job-process.ts"],
  scripts: ["app/api", "lib", "prisma", "scripts", "test"],
  prisma: ["lib", "prisma"],
  test: ["app/api", "lib", "prisma", "scripts", "test"],
  bench: ["bench", "lib", "prisma", "scripts", "test"],
  e2e: ["e2e", "scripts", "test"],
};

/** Stricter than the folder's rule: pages and routes call functions, and never touch storage. */
export const denied: ImportRules = {
  app: ["cache-sync", "postgres", "prisma", "queue", "redis"].map((room) => `platform/${room}`),
  "components/ui": ["platform", "tenancy", "identity", "links", "redirect", "analytics"],
};

/** Only these places may import a package. */
export const packages: ImportRules = {
  pg: ["lib/platform/postgres", "bench", "e2e", "prisma", "scripts", "test"],
  "pg-copy-streams": ["lib/platform/postgres", "bench", "scripts"],
  "@prisma": ["lib/platform/prisma", "prisma"],
  ioredis: ["lib/platform/redis", "bench", "scripts", "test"],
  bullmq: ["lib/platform/queue", "test"],
  undici: ["lib/platform/safe-fetch"],
  aws4fetch: ["lib/platform/files", "test"],
  "@opentelemetry": ["lib/platform/traces", "test"],
  hono: ["app/api"],
  "@modelcontextprotocol": ["app/mcp", "e2e"],
  stripe: ["lib/tenancy/billing"],
  next: [
    "app",
    "bench",
    "components",
    "lib/identity/auth",
    "lib/platform/messages",
    "workers/web.ts",
  ],
  react: ["app", "components"],
};

/** Files in rooms that start a process → the entry files of that process. */
export const startedEntries: ImportRules = {
  "lib/platform/parsers/children.ts": ["workers/parser.ts"],
  "lib/outreach/sources/jobs.ts": ["workers/recipients.ts"],
  "lib/transfer/imports/jobs.ts": ["workers/import.ts"],
};
