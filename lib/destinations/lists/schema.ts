import { z } from "zod";
import type { HostPatternProblem } from "#lib/basics/urls";
import { reasonField } from "#lib/tenancy/operators/schema";

export const listKinds = ["allow", "block"] as const;
export type ListKind = (typeof listKinds)[number];

/** The instance also has a warning list: visitors see a page before its hosts. */
export const instanceListKinds = [...listKinds, "warn"] as const;
export type InstanceListKind = (typeof instanceListKinds)[number];

/** Entered by people and programs. Longer lists are read from a URL. */
export const ownEntriesMax = 1_000;
/** Read from a URL or a file. */
export const sourceEntriesMax = 200_000;
export const sourceBytesMax = 8 * 1024 * 1024;
const sourceCharsMax = 2_000;
const entryCharsMax = 4_000;

/** Problems of a source or an entry, in English. The dashboard has `errors.list.…`. */
export const problemMessages = {
  source_unreachable: "Can’t reach this URL. Make sure it’s publicly available.",
  source_status: "The URL returns status {status}. It has to return status 200.",
  source_unreadable: "The file can’t be read. Check its path and permissions.",
  source_large: "The list is larger than {megabytes} MB. Shorten it.",
  source_long: "The list has more than {max} entries. Shorten it.",
  source_json:
    "The list isn’t valid JSON. Use an array of hosts, or an object with hosts as values.",
  source_form:
    "The list has an unexpected format. Use an array of hosts, or an object with hosts as values.",
  source_insecure: "source: Use a URL that starts with https://.",
  entries_full: "You can add up to {max} entries to a list. For more, use a source.",
  entry_empty: "An entry is empty. Remove it, or use a host such as example.com.",
  entry_long: "“{entry}” is too long. Use at most {max} characters.",
  entry_scheme:
    "“{entry}” starts with a scheme. Remove it, such as example.com instead of https://example.com.",
  entry_port: "“{entry}” has a port. Remove it: an entry applies to all ports.",
  entry_query:
    "“{entry}” has query parameters or a fragment. Remove them: an entry ends with the path.",
  entry_wildcard: "“{entry}” has a misplaced *. Use it only at the start, such as *.example.com.",
  entry_host:
    "“{entry}” isn’t a host. Use a format such as example.com, *.example.com or example.com/shop.",
} as const satisfies Record<HostPatternProblem, string> & Record<string, string>;
export type ListProblemCode = keyof typeof problemMessages;

export interface ListProblem {
  code: ListProblemCode;
  params: Readonly<Record<string, string | number>>;
}

export function problemMessage({ code, params }: ListProblem): string {
  return problemMessages[code].replace(/\{(\w+)\}/g, (_, name) => String(params[name]));
}

const entries = z.array(z.string().max(entryCharsMax)).max(ownEntriesMax);

export const changeListBody = z.strictObject({
  add: entries
    .default([])
    .describe("Entries to add, such as `example.com`, `*.example.com` or `example.com/shop`."),
  remove: entries.default([]).describe("Entries to remove. Unknown ones are ignored."),
  source: z
    .string()
    .trim()
    .max(sourceCharsMax)
    .nullish()
    .describe(
      "URL of a JSON file with more entries: an array of hosts, or an object with hosts as values. It is read at once and regularly. null: none.",
    ),
});
export type ChangeList = z.output<typeof changeListBody>;

const problem = z.object({
  code: z.string().describe("A stable code."),
  message: z.string(),
  params: z.record(z.string(), z.union([z.string(), z.number()])),
});

export const destinationListShape = z.object({
  kind: z.enum(listKinds),
  active: z
    .boolean()
    .describe("Whether the list has entries or a source. An active allow list refuses all others."),
  entries: z.array(z.string()).describe("Entries of its own, sorted."),
  source: z.string().nullable(),
  sourceEntries: z.number().describe("Number of entries from the source."),
  polledAt: z.string().nullable().describe("Last read of the source."),
  succeededAt: z.string().nullable().describe("Last successful read of the source."),
  problem: problem.nullable().describe("Why the last read failed."),
});
export type DestinationList = z.output<typeof destinationListShape>;

export const destinationListsShape = z.object({
  allow: destinationListShape,
  block: destinationListShape,
  instance: z
    .object({ allow: z.boolean(), block: z.boolean() })
    .describe("Whether the instance has active lists too. They apply to all workspaces."),
});
export const instanceListShape = destinationListShape.extend({ kind: z.enum(instanceListKinds) });
export type InstanceList = z.output<typeof instanceListShape>;

export const instanceListsShape = z.object({
  allow: instanceListShape,
  block: instanceListShape,
  warn: instanceListShape,
});
export type InstanceLists = z.output<typeof instanceListsShape>;

/** Without `source`, because the instance’s source comes from a setting. */
export const changeInstanceListBody = z.strictObject({
  ...changeListBody.pick({ add: true, remove: true }).shape,
  reason: reasonField,
});

export type DestinationLists = z.output<typeof destinationListsShape>;
