/**
 * The borders between the rooms, as one table.
 *
 * Biome's later overrides replace earlier ones, so each must repeat every group that applies to it; written by
 * hand that is a thousand lines of JSON. Here a room says what it may enter, and `npm run borders` writes the
 * overrides into biome.json. A test compares the two.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

interface Pattern {
  group: string[];
  message: string;
}

interface Override {
  includes: string[];
  linter: unknown;
}

const ground = ["config", "errors", "log", "lifetime"];
const plumbing = [...ground, "postgres", "prisma", "redis", "queue"];

/** A room → the rooms it may enter. */
const rooms: Record<string, readonly string[]> = {
  config: ["errors"],
  errors: [],
  ids: [],
  log: ["config"],
  lifetime: ["log"],
  messages: [],
  archives: ["errors"],
  http: ground,
  targets: [],
  passwords: ["errors"],
  codes: ["config", "errors", "log", "lifetime"],
  agents: ["config"],
  choices: ["agents", "targets"],
  postgres: ground,
  redis: ground,
  prisma: [...ground, "postgres"],
  queue: [...ground, "redis"],
  coherence: [...ground, "postgres", "redis"],
  audit: [...ground, "ids", "postgres"],
  days: [...ground, "postgres"],
  installation: [...ground, "codes", "postgres", "redis"],
  limits: [...ground, "redis"],
  workspaces: [...plumbing, "ids", "archives", "coherence", "audit"],
  quotas: [...ground, "postgres", "workspaces"],
  mail: ground,
  proofs: [...ground, "postgres"],
  members: [...plumbing, "ids", "audit", "coherence", "limits", "mail", "workspaces"],
  auth: [
    ...plumbing,
    "ids",
    "agents",
    "quotas",
    "limits",
    "passwords",
    "proofs",
    "coherence",
    "audit",
    "workspaces",
  ],
  accounts: [
    ...plumbing,
    "audit",
    "auth",
    "limits",
    "mail",
    "passwords",
    "proofs",
    "coherence",
    "workspaces",
  ],
  tags: [...plumbing, "ids", "audit", "workspaces", "quotas"],
  utm: [...ground, "ids", "postgres", "audit", "workspaces"],
  looks: [...ground, "postgres", "audit", "coherence", "qr", "targets", "workspaces"],
  outgoing: ["config"],
  suggestions: ["errors", "limits", "outgoing", "qr", "targets", "workspaces"],
  qr: ["errors", "targets"],
  folders: [...plumbing, "ids", "audit", "workspaces", "quotas"],
  dns: ["config"],
  domains: [
    ...plumbing,
    "ids",
    "quotas",
    "coherence",
    "audit",
    "workspaces",
    "codes",
    "targets",
    "dns",
    "limits",
    "notices",
  ],
  links: [
    ...plumbing,
    "ids",
    "archives",
    "passwords",
    "coherence",
    "audit",
    "workspaces",
    "quotas",
    "codes",
    "domains",
    "folders",
    "targets",
  ],
  removal: [...plumbing, "audit", "coherence", "targets", "workspaces"],
  expansion: [...ground, "ids", "postgres", "audit", "workspaces", "codes", "domains"],
  redirect: [
    ...ground,
    "http",
    "codes",
    "agents",
    "choices",
    "coherence",
    "redis",
    "postgres",
    "clicks",
    "days",
    "limits",
    "passwords",
    "targets",
  ],
  clicks: [...ground, "redis"],
  rollups: plumbing,
  ingest: [...plumbing, "clicks", "agents", "days", "rollups"],
  analytics: [
    ...plumbing,
    "ids",
    "archives",
    "workspaces",
    "folders",
    "domains",
    "links",
    "rollups",
  ],
  studio: [...plumbing, "ids", "archives", "audit", "workspaces", "links", "qr"],
  notices: [...plumbing, "workspaces"],
  takeout: [
    ...plumbing,
    "ids",
    "archives",
    "audit",
    "workspaces",
    "members",
    "domains",
    "tags",
    "folders",
    "links",
    "analytics",
    "notices",
  ],
  imports: [
    ...plumbing,
    "ids",
    "archives",
    "audit",
    "workspaces",
    "folders",
    "tags",
    "links",
    "notices",
    "targets",
  ],
  onboarding: [...plumbing, "workspaces"],
  live: [...plumbing, "ids", "workspaces", "folders", "domains"],
  shares: [
    ...plumbing,
    "ids",
    "archives",
    "audit",
    "limits",
    "passwords",
    "workspaces",
    "folders",
    "links",
    "tags",
    "analytics",
  ],
  demo: [...plumbing, "ids", "workspaces", "domains", "links", "ingest"],
};

/** Which room alone may open a driver. */
const driverHomes: Record<string, readonly string[]> = {
  postgres: ["pg", "pg-copy-streams"],
  prisma: ["@prisma/**", "./generated/**"],
  redis: ["ioredis"],
  queue: ["bullmq"],
  outgoing: ["undici"],
};
const nextHomes = ["auth", "messages"];

const noUi: Pattern = {
  group: ["#components/**", "react", "react/**", "react-dom", "react-dom/**"],
  message: "No UI below app/ and components/.",
};
const noNext: Pattern = {
  group: ["next", "next/**", "next-auth", "next-auth/**", "next-intl", "next-intl/**"],
  message: "Only app/, components/, lib/auth and lib/messages know Next.",
};
const driversMessage =
  "Drivers are opened only in lib/postgres, lib/prisma, lib/redis, lib/queue and lib/outgoing.";

function drivers(except?: string): Pattern {
  const group = Object.entries(driverHomes).flatMap(([home, names]) =>
    home === except ? [] : names,
  );
  return { group, message: driversMessage };
}

function onlyRooms(allowed: readonly string[], message: string): Pattern {
  const doors = allowed.flatMap((room) => [`!#lib/${room}`, `!#lib/${room}/schema`]);
  return { group: ["#lib/**", ...doors], message };
}

function restrict(includes: string[], patterns: Pattern[]): Override {
  const noRestrictedImports = { level: "error", options: { patterns } };
  return { includes, linter: { rules: { style: { noRestrictedImports } } } };
}

function roomOverride([room, allowed]: [string, readonly string[]]): Override {
  const patterns: Pattern[] = [
    {
      group: ["../**", "!../../scripts/test-stores.ts"],
      message: "Inside a room write ./x.ts; enter another room by its door, #lib/<room>.",
    },
    onlyRooms(
      [room, ...allowed],
      `lib/${room} may import only: ${allowed.join(", ") || "nothing"}.`,
    ),
    drivers(room),
  ];
  if (!nextHomes.includes(room)) patterns.push(noNext, noUi);
  if (room === "redirect" || room === "clicks") {
    patterns.push({ group: ["zod", "hono", "hono/**"], message: "The hot path stays lean." });
  }
  return restrict([`lib/${room}/**`], patterns);
}

const storageRooms = ["postgres", "prisma", "redis", "queue", "redirect", "coherence"];

/** The overrides that draw borders, in the order Biome reads them. */
export function borderOverrides(): Override[] {
  return [
    restrict(
      ["app/**"],
      [
        {
          group: [
            ...storageRooms.map((room) => `#lib/${room}`),
            ...Object.values(driverHomes).flat(),
          ],
          message: "Routes and pages never touch storage. Call a verb of a feature room.",
        },
      ],
    ),
    restrict(
      ["components/**"],
      [
        {
          group: ["#lib/**", "!#lib/*/schema"],
          message:
            "Components receive data as props; from lib they may import only #lib/<room>/schema.",
        },
        { group: ["**/app/**"], message: "Nothing imports app/." },
      ],
    ),
    restrict(
      ["components/ui/**"],
      [{ group: ["#lib/**", "**/app/**"], message: "components/ui has no domain words." }],
    ),
    ...Object.entries(rooms).map(roomOverride),
    restrict(["workers/**"], [noUi, noNext, drivers()]),
    restrict(
      ["workers/redirect.ts"],
      [
        noUi,
        noNext,
        drivers(),
        { group: ["zod", "hono", "hono/**"], message: "The redirect alone loads no framework." },
        onlyRooms(
          ["config", "log", "lifetime", "http", "installation", "redirect"],
          "The redirect alone enters only config, log, lifetime, http, installation and redirect.",
        ),
      ],
    ),
    // Web is Next itself in a process of its own: the one worker that may know it.
    restrict(["workers/web.ts"], [noUi, drivers()]),
    restrict(
      ["e2e/**"],
      [{ group: ["#lib/**"], message: "A journey goes through the browser; it may not cheat." }],
    ),
    // A test of a room stands on stores and people that other rooms make.
    {
      includes: ["lib/**/*.test.ts", "app/**/*.test.ts"],
      linter: { rules: { style: { noRestrictedImports: "off" } } },
    },
  ];
}

const biomeFile = fileURLToPath(new URL("../biome.json", import.meta.url));

/** Everything in biome.json, with the borders drawn from the table above. */
export function withBorders(): string {
  const biome = JSON.parse(readFileSync(biomeFile, "utf8"));
  const others = biome.overrides.filter(
    (override: { linter?: { rules?: { style?: Record<string, unknown> } } }) =>
      !override.linter?.rules?.style?.["noRestrictedImports"],
  );
  return `${JSON.stringify({ ...biome, overrides: [...borderOverrides(), ...others] }, null, 2)}\n`;
}

export function readBiomeFile(): string {
  return readFileSync(biomeFile, "utf8");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(biomeFile, withBorders());
