/** The public shapes of importers, and their limits. */
import { z } from "zod";
import { pageSizeOf, webUrl } from "#lib/basics/fields/schema";
import { mapTable, namesIn } from "#lib/basics/variants/schema";
import { problemShape } from "#lib/transfer/imports/schema";

interface System {
  label: string;
  /** People run it themselves, at their own addresses. */
  isHosted?: true;
  /** Reading clicks takes a request per link. */
  hasSlowClicks?: true;
}

/** Their readers are in `systems`, under the same names. */
const table = {
  bitly: { label: "Bitly", hasSlowClicks: true },
  "short-io": { label: "Short.io" },
  rebrandly: { label: "Rebrandly" },
  dub: { label: "Dub" },
  yourls: { label: "YOURLS", isHosted: true },
  shlink: { label: "Shlink", isHosted: true },
} as const satisfies Record<string, System>;
export type SystemName = keyof typeof table;
export const systems = namesIn(table);
export const systemLabels = mapTable(table, ({ label }) => label);
const listWith = (has: keyof System) => systems.filter((name) => has in table[name]);
export const hostedSystems = listWith("isHosted");
export const slowClickSystems = listWith("hasSlowClicks");
const hostedLabels = hostedSystems.map((name) => systemLabels[name]).join(" and ");

export const importerStates = ["waiting", "running", "ready", "failed", "cancelled"] as const;
export type ImporterState = (typeof importerStates)[number];

export const linksMax = 500_000;
export const openImportersMax = 20;
export const keptDays = 14;
/** An importer fails if the other system makes it wait for longer. */
export const waitDaysMax = 7;
const tokenCharsMax = 500;
const listMax = 100;

export const newImporterBody = z
  .strictObject({
    system: z.enum(systems),
    token: z
      .string()
      .trim()
      .min(1, "Enter the token.")
      .max(tokenCharsMax, `Use at most ${tokenCharsMax} characters.`)
      .describe(
        "An API token of that system. It is stored encrypted, and deleted once reading ends.",
      ),
    address: webUrl
      .nullish()
      .describe(`The URL of a self-hosted system. Only for ${hostedLabels}, where it is required.`),
    clicks: z
      .boolean()
      .default(true)
      .describe("Also read click totals. Bitly needs one request per link for that."),
  })
  .superRefine(({ system, address }, context) => {
    const isHosted = hostedSystems.includes(system);
    if (isHosted === Boolean(address)) return;
    const message = isHosted
      ? "Enter the URL of your server."
      : `Remove the URL: only ${hostedLabels} have one.`;
    context.addIssue({ code: "custom", path: ["address"], message });
  });
export type NewImporter = z.output<typeof newImporterBody>;

export const listImportersQuery = z.object({
  pageSize: pageSizeOf(listMax, 50),
});
export type ListImporters = z.output<typeof listImportersQuery>;

export const importerShape = z.object({
  id: z.string(),
  system: z.enum(systems),
  address: z.string().nullable(),
  state: z.enum(importerStates),
  found: z.number(),
  total: z.number().nullable(),
  /** Set while the importer waits because the other system asked for it. */
  resumesAt: z.string().nullable(),
  error: z.string().nullable(),
  problem: problemShape.nullable(),
  /** The import that came out of it, ready to be reviewed. */
  importId: z.string().nullable(),
  createdAt: z.string(),
  finishedAt: z.string().nullable(),
});
export type Importer = z.output<typeof importerShape>;
