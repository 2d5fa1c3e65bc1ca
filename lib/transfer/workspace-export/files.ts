/** The contents of an archive: one file per kind of object, and a readme. */
import { listCustomers } from "#lib/analytics/customers";
import { listCustomersQuery } from "#lib/analytics/customers/schema";
import { exportEvents } from "#lib/analytics/reports";
import { exportEventsQuery } from "#lib/analytics/reports/schema";
import { listOwnDomains } from "#lib/links/domains";
import { listDomainsQuery } from "#lib/links/domains/schema";
import { listFolders } from "#lib/links/folders";
import { listFoldersQuery } from "#lib/links/folders/schema";
import { exportLinks, pagesOfLinks } from "#lib/links/reading";
import { exportLinksQuery } from "#lib/links/reading/schema";
import { listSocialImages, readOwnImage } from "#lib/links/social-images";
import { listImagesQuery } from "#lib/links/social-images/schema";
import { listTags } from "#lib/links/tags";
import { listTagsQuery } from "#lib/links/tags/schema";
import { pagesOfCampaigns, pagesOfRecipients } from "#lib/outreach/campaigns";
import { pagesOfOptOuts } from "#lib/outreach/opt-outs";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { exportAudit } from "#lib/tenancy/audit";
import { listMembers } from "#lib/tenancy/members";
import { getWorkspace } from "#lib/tenancy/workspaces";

type WriteContent = (content: string | Uint8Array) => Promise<void>;

export interface ArchiveFile {
  name: string;
  produce: (write: WriteContent) => Promise<void>;
}

const pageSize = 100;

type CountRows = (more: number) => Promise<void>;

export function filesOf(scope: WorkspaceScope, count: CountRows): ArchiveFile[] {
  const lines = (pages: () => AsyncGenerator<readonly object[]>) => async (write: WriteContent) => {
    for await (const rows of pages()) {
      await write(rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
      await count(rows.length);
    }
  };
  return [
    { name: "README.txt", produce: (write) => write(readme) },
    {
      name: "workspace.json",
      produce: async (write) =>
        await write(`${JSON.stringify(await getWorkspace(scope), null, 2)}\n`),
    },
    { name: "members.jsonl", produce: lines(() => once(listMembers(scope))) },
    { name: "domains.jsonl", produce: lines(() => domainsOf(scope)) },
    { name: "tags.jsonl", produce: lines(() => tagsOf(scope)) },
    { name: "folders.jsonl", produce: lines(() => foldersOf(scope)) },
    {
      name: "links.jsonl",
      produce: lines(() => pagesOfLinks(scope, exportLinksQuery.parse(allLinks))),
    },
    { name: "campaigns.jsonl", produce: lines(() => pagesOfCampaigns(scope)) },
    { name: "recipients.jsonl", produce: lines(() => pagesOfRecipients(scope)) },
    { name: "opt-outs.jsonl", produce: lines(() => pagesOfOptOuts(scope)) },
    { name: "links.csv", produce: (write) => writeLinks(scope, write) },
    { name: "clicks.csv", produce: (write) => writeEvents(scope, "clicks", "csv", write) },
    { name: "clicks.jsonl", produce: (write) => writeEvents(scope, "clicks", "jsonl", write) },
    { name: "leads.jsonl", produce: (write) => writeEvents(scope, "leads", "jsonl", write) },
    { name: "sales.jsonl", produce: (write) => writeEvents(scope, "sales", "jsonl", write) },
    { name: "customers.jsonl", produce: lines(() => customersOf(scope)) },
    { name: "images.jsonl", produce: lines(() => imagesOf(scope)) },
    {
      name: "audit.jsonl",
      produce: (write) => exportAudit(scope, { format: "jsonl" }).send(write),
    },
  ];
}

async function* once<T>(rows: Promise<T[]>): AsyncGenerator<T[]> {
  yield await rows;
}

async function* customersOf(scope: WorkspaceScope): AsyncGenerator<object[]> {
  for (let startingAfter: string | undefined; ; ) {
    const page = await listCustomers(scope, listCustomersQuery.parse({ startingAfter }));
    yield page;
    startingAfter = page.at(-1)?.id;
    if (page.length < pageSize || startingAfter === undefined) return;
  }
}

/** Reads pages by number until one is not full. */
async function* numbered<T>(read: (page: number) => Promise<T[]>): AsyncGenerator<T[]> {
  for (let page = 1; ; page++) {
    const rows = await read(page);
    yield rows;
    if (rows.length < pageSize) return;
  }
}

function domainsOf(scope: WorkspaceScope) {
  return numbered((page) =>
    listOwnDomains(scope, { ...listDomainsQuery.parse({ archived: "true" }), page, pageSize }),
  );
}

function tagsOf(scope: WorkspaceScope) {
  return numbered((page) => listTags(scope, { ...listTagsQuery.parse({}), page, pageSize }));
}

function foldersOf(scope: WorkspaceScope) {
  return numbered((page) => listFolders(scope, { ...listFoldersQuery.parse({}), page, pageSize }));
}

function imagesOf(scope: WorkspaceScope) {
  return numbered((page) =>
    listSocialImages(scope, { ...listImagesQuery.parse({}), page, pageSize }),
  );
}

/** A file for each uploaded image, named after its id. Omits images that are deleted meanwhile. */
export async function* imageFilesOf(scope: WorkspaceScope): AsyncGenerator<ArchiveFile> {
  for await (const images of imagesOf(scope)) {
    for (const { id } of images) {
      const jpeg = await readOwnImage(scope, id);
      if (jpeg) yield { name: `images/${id}.jpg`, produce: (write) => write(jpeg) };
    }
  }
}

const allLinks = { showArchived: "true" };

async function writeLinks(scope: WorkspaceScope, write: WriteContent): Promise<void> {
  await (await exportLinks(scope, exportLinksQuery.parse(allLinks))).send(write);
}

async function writeEvents(
  scope: WorkspaceScope,
  event: "clicks" | "leads" | "sales",
  format: "csv" | "jsonl",
  write: WriteContent,
): Promise<void> {
  const all = { interval: "all", verification: "all" };
  const eventsQuery = exportEventsQuery.parse({ ...all, event, format });
  await (await exportEvents(scope, eventsQuery)).send(write);
}

const readme = `All data of a Fuxi workspace.

.jsonl files have one JSON object per line. .csv files are for spreadsheets (UTF-8, RFC 4180; cells that a spreadsheet
could run as a formula start with an apostrophe). Times are in ISO 8601 format and UTC.

workspace.json   name, slug, time zone and plan of the workspace
members.jsonl    members and their roles
domains.jsonl    domains, as in GET /api/domains
tags.jsonl       tags, as in GET /api/tags
folders.jsonl    folders, as in GET /api/folders
links.jsonl      links with their tags, newest first, including archived links, without passwords, as in GET /api/links
campaigns.jsonl  campaigns, as in GET /api/campaigns
recipients.jsonl recipients of campaigns, with masked phones and without columns
opt-outs.jsonl   opt-outs, with masked phones
links.csv        the same links for spreadsheets
clicks.csv       individual clicks, newest first, as far back as they are kept and the plan includes
clicks.jsonl     the same clicks, as in GET /api/events
leads.jsonl      leads, newest first, as in GET /api/events
sales.jsonl      sales, newest first, also those that are not verified
customers.jsonl  customers, as in GET /api/customers
images.jsonl     uploaded images of social previews, as in GET /api/social-images
images/          these images, as <id>.jpg
audit.jsonl      audit log, as in GET /api/audit

This isn't a snapshot: changes made during the export may be included only in part.
`;
