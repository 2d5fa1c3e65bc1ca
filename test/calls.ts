/** For tests of the API in this process: callers, the operations of its document, and things that calls can be about. */
import { encode } from "next-auth/jwt";
import sharp from "sharp";
import { createApiKey } from "#lib/identity/api-keys";
import { authOptions } from "#lib/identity/auth";
import { startBulkJob } from "#lib/links/bulk-jobs";
import { createLinks } from "#lib/links/creating";
import { createFolder } from "#lib/links/folders";
import { createTag } from "#lib/links/tags";
import { createUtmTemplate } from "#lib/links/utm";
import { plainDesign } from "#lib/outreach/qr/schema";
import { createTemplate, storeLogo } from "#lib/outreach/qr-templates";
import { newId } from "#lib/platform/ids";
import { query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { listAudit } from "#lib/tenancy/audit";
import { createWorkspace } from "#lib/tenancy/workspaces";
import { uploadImport } from "#lib/transfer/imports";
import { fetchApi } from "../app/api/index.ts";

const origin = "http://localhost:3000";
/** A PNG of one pixel, in base64. */
export const onePixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

export interface Call {
  method: string;
  path: string;
  query?: Record<string, string>;
  body?: unknown;
  /** A body as it is, instead of one that is written as JSON. */
  text?: string;
  /** Of the body; left out: JSON. */
  type?: string;
}

export interface Answer {
  status: number;
  text: string;
}

/** Sends calls with some headers. */
export function callerWith(headers: Record<string, string>) {
  return async ({ method, path, query: asked, body, ...raw }: Call): Promise<Answer> => {
    const search = asked === undefined ? "" : `?${new URLSearchParams(asked)}`;
    const text = body === undefined ? raw.text : JSON.stringify(body);
    const request = new Request(`${origin}${path}${search}`, {
      method,
      headers: {
        ...headers,
        ...(text === undefined
          ? {}
          : {
              "Content-Type": raw.type ?? "application/json",
              "Content-Length": `${Buffer.byteLength(text)}`,
            }),
      },
      ...(text === undefined ? {} : { body: text }),
    });
    const response = await fetchApi(request, "203.0.113.7");
    return { status: response.status, text: await response.text() };
  };
}

export type Caller = ReturnType<typeof callerWith>;

/** Calls with a new key of a workspace. */
export async function keyCaller(scope: WorkspaceScope, scopes?: string[]): Promise<Caller> {
  const { key } = await createApiKey(scope, { name: "Test", ...(scopes ? { scopes } : {}) });
  return callerWith({ Authorization: `Bearer ${key}` });
}

/** Calls as the person of a scope does who is signed in to the dashboard. */
export async function personCaller(scope: WorkspaceScope): Promise<Caller> {
  const user = { id: String(scope.userId), name: "Test", email: "test@example.com" };
  const token = await authOptions().callbacks?.jwt?.({ token: {}, user, account: null });
  const secret = String(process.env["FUXI_SESSION_SECRET"]);
  const cookie = `fuxi-session=${await encode({ token: token ?? {}, secret })}`;
  return callerWith({ Cookie: cookie, Origin: origin, "X-Fuxi-Workspace": scope.slug });
}

export interface Parameter {
  in: string;
  name: string;
  schema?: JsonSchema;
}

/** As much of JSON Schema as the document uses. */
export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  enum?: unknown[];
  anyOf?: JsonSchema[];
  allOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  additionalProperties?: boolean | JsonSchema;
}

export interface Operation {
  id: string;
  method: string;
  path: string;
  parameters: Parameter[];
  body: JsonSchema | undefined;
}

interface Described {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: JsonSchema }> };
}

interface Document {
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, JsonSchema> };
}

export async function readDocument(): Promise<Document> {
  const response = await fetchApi(new Request(`${origin}/api/openapi.json`), "203.0.113.7");
  return await response.json();
}

/** Every operation of the document. */
export function operationsOf(document: Document): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({
      id: described.operationId,
      method: method.toUpperCase(),
      path,
      parameters: described.parameters ?? [],
      body: described.requestBody?.content["application/json"]?.schema,
    })),
  );
}

/** Things of one workspace, by the names under which calls speak of them. */
export type Things = Awaited<ReturnType<typeof makeThings>>;

let made = 0;
const jobs = new Map<number, string>();

/** One for each workspace: no worker takes them away, and few may wait. */
async function jobOf(scope: WorkspaceScope): Promise<string> {
  const known = jobs.get(scope.workspacePk);
  if (known !== undefined) return known;
  const started = await startBulkJob(scope, [{ url: "https://example.com/" }], undefined);
  if (!started.ok) throw new Error("No bulk job could be started");
  jobs.set(scope.workspacePk, started.job.id);
  return started.job.id;
}

export async function makeThings(scope: WorkspaceScope) {
  made += 1;
  const [outcome] = await createLinks(scope, [
    { url: "https://example.com/", key: `thing-${made}`, externalId: `external-${made}` },
  ]);
  if (!outcome?.ok) throw new Error(outcome?.message);
  const tag = await createTag(scope, { name: `Tag ${made}` });
  const folder = await createFolder(scope, { name: `Folder ${made}`, accessLevel: null });
  const { apiKey } = await createApiKey(scope, { name: `Key ${made}` });
  const utm = await createUtmTemplate(scope, { name: `Template ${made}` });
  const qrTemplate = await createTemplate(scope, {
    name: `Template ${made}`,
    design: plainDesign,
    isDefault: false,
  });
  const qrLogo = await storeLogo(scope, await makePng(made));
  const [entry] = await listAudit(scope, { pageSize: 1 });
  const domain = `things-${made}.example`;
  await query(sql`
    INSERT INTO domain (id, workspace_pk, slug, verified_at)
    VALUES (${newId("dom")}, ${scope.workspacePk}, ${domain}, now())`);
  return {
    link: outcome.link.id,
    key: outcome.link.key,
    shortLink: outcome.link.shortLink,
    shortDomain: outcome.link.domain,
    externalId: `external-${made}`,
    tag: tag.id,
    tagName: tag.name,
    folder: folder.id,
    apiKey: apiKey.id,
    utm: utm.id,
    qrTemplate: qrTemplate.id,
    qrLogo: qrLogo.id,
    job: await jobOf(scope),
    import: await importOf(scope),
    entry: String(entry?.id),
    user: String(scope.userId),
    workspace: scope.workspaceId,
    otherWorkspace: await makeWorkspace(scope),
    domain,
  };
}

/** A file of one row, with which anything can still be done. */
async function importOf(scope: WorkspaceScope): Promise<string> {
  const body = new Blob(["https://example.com/imported\n"]).stream();
  return (await uploadImport(scope, body, { name: "things.csv" })).id;
}

/** Each number has a picture of its own. */
async function makePng(number: number): Promise<Buffer> {
  const background = { r: number % 256, g: number >> 8, b: 0 };
  return await sharp({ create: { width: 8, height: 8, channels: 3, background } })
    .png()
    .toBuffer();
}

/** Names of the same shapes that nobody has. */
export function missingThings(): Things {
  made += 1;
  return {
    link: newId("link"),
    key: `missing-${made}`,
    shortLink: `${origin}/missing-${made}`,
    shortDomain: "localhost",
    externalId: `missing-${made}`,
    tag: newId("tag"),
    tagName: `Missing ${made}`,
    folder: newId("fold"),
    apiKey: newId("key"),
    utm: newId("utm"),
    qrTemplate: newId("qrt"),
    qrLogo: newId("qrl"),
    job: newId("job"),
    import: newId("imp"),
    entry: newId("aud"),
    user: newId("user"),
    workspace: newId("ws"),
    otherWorkspace: newId("ws"),
    domain: `missing-${made}.example`,
  };
}

/** Another workspace of the same person. */
async function makeWorkspace(scope: WorkspaceScope): Promise<string> {
  const slug = `other-${made}-of-${scope.slug}`.slice(0, 48);
  const outcome = await createWorkspace(String(scope.userId), { name: slug, slug });
  if (!outcome.ok) throw new Error(outcome.code);
  return outcome.workspace.id;
}
