/** The public shapes of an import, and its limits. */
import { z } from "zod";
import { pageOf, pageSizeOf } from "#lib/basics/fields/schema";

export { type FieldName, fieldNames } from "./fields.ts";

import { columnsMax, delimiters } from "#lib/platform/tables/schema";
import { fieldNames } from "./fields.ts";

export const bytesMax = 2 * 1024 * 1024 * 1024;
const nameCharsMax = 200;
export const importsMax = 100;
export const keptBytesMax = 4 * bytesMax;
export const previewRows = 100;
/** Imports are kept for this long after their end, or after the upload if they never started. */
export const keptDays = 14;
/** After its end, links of an import can be deleted for this long. */
export const undoHours = 24;
const tagsMax = 50;
/** People can choose a replacement for this many domains. A preview lists those with the most rows. */
export const domainsMax = 200;
/** A preview checks and counts these rows; only the first ones are shown. */
export const checkedRows = 10_000;
const pageMax = 1_000;
const pageSizeMax = 100;

export const importStates = ["ready", "waiting", "running", "done", "failed", "cancelled"] as const;
export type ImportState = (typeof importStates)[number];

/** Stands for every domain without an entry of its own. */
export const anyDomain = "*";

const field = z.enum(fieldNames);

/** Defaults for every row. Values of a row take precedence. */
export const importOptions = z.strictObject({
  heading: z.boolean().describe("Whether the first line is the header."),
  domain: z
    .string()
    .trim()
    .toLowerCase()
    .max(253)
    .nullable()
    .describe("Domain for rows without one. Null: the primary domain of the workspace."),
  otherDomain: z
    .string()
    .trim()
    .toLowerCase()
    .max(253)
    .nullable()
    .describe(
      "Domain for rows with a domain that this workspace doesn’t have, such as that of another link shortener. After the upload, the primary domain of the workspace. Null: skip those rows.",
    ),
  domains: z
    .record(
      z.string().trim().toLowerCase().max(253),
      z.string().trim().toLowerCase().max(253).nullable(),
    )
    .refine(
      (domains) => Object.keys(domains).length <= domainsMax,
      `Use at most ${domainsMax} domains.`,
    )
    .describe(
      "Domains of rows → domains of the workspace that replace them. Null skips the rows of a domain. Takes precedence over `otherDomain`; a domain mapped to itself is kept, and must be verified before the import starts. `*` stands for all domains without an entry.",
    ),
  folderId: z.string().trim().max(100).nullable().describe("Folder for rows without one."),
  tagIds: z
    .array(z.string().trim().min(1).max(100))
    .max(tagsMax, `Use at most ${tagsMax} tags.`)
    .describe("Tags for all links, in addition to those in the row."),
  onTakenKey: z
    .enum(["refuse", "generate"])
    .describe(
      "If a key is already taken: refuse to skip the row, generate to use a generated key.",
    ),
  onMissingName: z
    .enum(["make", "refuse"])
    .describe("If a tag or folder doesn’t exist: make to create it, refuse to skip the row."),
});
export type ImportOptions = z.output<typeof importOptions>;

export const usualOptions: ImportOptions = {
  heading: true,
  domain: null,
  otherDomain: null,
  domains: {},
  folderId: null,
  tagIds: [],
  onTakenKey: "refuse",
  onMissingName: "make",
};

export const uploadQuery = z.object({
  name: z
    .string()
    .trim()
    .max(nameCharsMax, `Use at most ${nameCharsMax} characters.`)
    .default("import.csv")
    .describe("The file name."),
  delimiter: z
    .enum(delimiters)
    .optional()
    .describe("The delimiter between cells. Detected if omitted."),
});
export type Upload = z.output<typeof uploadQuery>;

export const changeImportBody = z.strictObject({
  mapping: z
    .array(field.nullable())
    .max(columnsMax)
    .optional()
    .describe("The field for each column, or null to skip it. `url` is required."),
  options: importOptions.partial().optional(),
});
export type ChangeImport = z.output<typeof changeImportBody>;

export const listImportsQuery = z.object({
  page: pageOf(pageMax),
  pageSize: pageSizeOf(pageSizeMax, 50),
});
export type ListImports = z.output<typeof listImportsQuery>;

const column = z.object({
  name: z.string(),
  samples: z.array(z.string()),
});

/** For programs and translation: a stable code, and the values of its message. */
export const problemShape = z.object({
  code: z.string(),
  params: z.record(z.string(), z.union([z.string(), z.number()])),
});

export type ProblemShape = z.output<typeof problemShape>;

export const leftOutReasons = ["unsupported", "not_given", "shortened", "turned_off"] as const;
export type LeftOutReason = (typeof leftOutReasons)[number];

export const importSource = z.object({
  system: z.string(),
  domains: z.array(z.object({ domain: z.string(), links: z.number() })),
  /** Links with a property that could not be taken over unchanged. */
  leftOut: z.array(
    z.object({ property: z.string(), reason: z.enum(leftOutReasons), links: z.number() }),
  ),
});
export type ImportSource = z.output<typeof importSource>;

export const importSummaryShape = z.object({
  id: z.string(),
  name: z.string(),
  state: z.enum(importStates),
  bytes: z.number(),
  rows: z.number(),
  done: z.number(),
  made: z.number().describe("Rows with a link, also those that reused one."),
  reused: z.number(),
  refused: z.number(),
  rowsPerSecond: z.number().nullable(),
  secondsLeft: z.number().nullable(),
  error: z.string().nullable(),
  problem: problemShape.nullable(),
  createdAt: z.string(),
  startedAt: z.string().nullable(),
  finishedAt: z.string().nullable(),
  /** When file and results are deleted; null while it waits or runs. */
  expiresAt: z.string().nullable(),
  /** Its links can be deleted in the dashboard until then; null without links, or after undoing. */
  undoUntil: z.string().nullable(),
  undoneAt: z.string().nullable(),
});
export type ImportSummary = z.output<typeof importSummaryShape>;

export const importShape = importSummaryShape.extend({
  encoding: z.enum(["utf-8", "utf-16le", "utf-16be", "gb18030", "windows-1252"]),
  delimiter: z.string(),
  columns: z.array(column),
  mapping: z.array(field.nullable()),
  options: z.object(importOptions.shape),
  source: importSource.nullable(),
  /** Links that undoing it would delete now. */
  undoLinks: z.number(),
  firstRows: z.array(z.array(z.string())),
});
export type Import = z.output<typeof importShape>;

const rowProblem = problemShape.extend({
  /** Counted from 1. */
  line: z.number(),
  message: z.string(),
});

const previewRow = z.object({
  line: z.number(),
  /** Null if the row would be refused. */
  link: z
    .object({
      domain: z.string(),
      key: z.string().nullable(),
      url: z.string(),
      title: z.string().nullable(),
      tags: z.array(z.string()),
      folderId: z.string().nullable(),
      expiresAt: z.string().nullable(),
    })
    .nullable(),
});

const domainStates = [
  "active",
  "archived",
  "pending",
  "addable",
  "shortener",
  "taken",
  "invalid",
] as const;

const namedDomain = z.object({
  domain: z.string(),
  rows: z.number(),
  state: z
    .enum(domainStates)
    .describe(
      "active and archived: a verified domain of the workspace. pending: added, but not verified. addable: can be added. shortener: belongs to a public link shortener. taken: another workspace uses it. invalid: not a domain.",
    ),
});
export type NamedDomain = z.output<typeof namedDomain>;

export const previewShape = z.object({
  obstacle: z.string().nullable(),
  obstacleProblem: problemShape.nullable(),
  warnings: z.array(problemShape.extend({ message: z.string() })),
  notes: z.array(problemShape.extend({ message: z.string() })),
  rows: z.array(previewRow),
  problems: z.array(rowProblem),
  checked: z.number(),
  refused: z.array(z.object({ code: z.string(), rows: z.number() })),
  creates: z
    .number()
    .nullable()
    .describe(
      "Links that the import will create. Null if not all rows were checked, or if rows may reuse links.",
    ),
  domains: z
    .array(namedDomain)
    .describe("Domains that the checked rows name, those with the most rows first."),
});
export type Preview = z.output<typeof previewShape>;

export const refusedRowShape = problemShape.extend({
  line: z.number(),
  message: z.string(),
  /** Long ones are cut, passwords are masked. */
  cells: z.array(z.string()),
});
export type RefusedRow = z.output<typeof refusedRowShape>;

export const listRefusedQuery = z.object({
  page: pageOf(pageMax),
  pageSize: pageSizeOf(pageSizeMax, 50),
});
export type ListRefused = z.output<typeof listRefusedQuery>;

export const resultsQuery = z.object({
  only: z
    .enum(["all", "failed"])
    .default("all")
    .describe("failed: only rows without a link, to fix and upload again."),
});
export type ResultsQuery = z.output<typeof resultsQuery>;
