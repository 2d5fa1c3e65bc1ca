/**
 * The import rules: which folder may import which, and where each driver belongs. check-borders.ts compares every
 * import of the tree with this table.
 */
type ImportRules = Readonly<Record<string, readonly string[]>>;

/** A district → the districts and single rooms that it may import. Its own rooms must not form a cycle. */
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
    "links/link-cache",
    "links/link-columns",
    "links/distribution",
    "audience/forms",
    "audience/contacts",
    "audience/form-answers",
    "audience/phone-codes",
  ],
  analytics: ["basics", "platform", "tenancy", "links", "audience/contacts", "redirect/clicks"],
  outreach: ["basics", "platform", "tenancy", "links", "audience", "analytics/customers"],
  transfer: [
    "basics",
    "platform",
    "tenancy",
    "identity/sessions",
    "destinations",
    "links",
    "analytics",
    "outreach/campaigns",
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
 * A folder outside of lib → the folders that it may import; `schemas` are the schema.ts files of rooms. The two rooms that
 * components import are pure: the form of a campaign shows its message while it is written.
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

/** Stricter than the rule of the folder: pages and routes call functions, and never touch storage. */
export const denied: ImportRules = {
  app: ["cache-sync", "postgres", "prisma", "queue", "redis"].map((room) => `platform/${room}`),
  "components/ui": ["platform", "tenancy", "identity", "links", "redirect", "analytics"],
};

/** A package → the only places that import it. */
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

/** A file of a room → the entry of a process that it starts. */
export const startedEntries: ImportRules = {
  "lib/platform/parsers/children.ts": ["workers/parser.ts"],
  "lib/outreach/sources/jobs.ts": ["workers/recipients.ts"],
  "lib/transfer/imports/jobs.ts": ["workers/import.ts"],
};
