import { z } from "zod";
import { callApi } from "#components/forms/call-api.ts";
import { type Folder, folderShape } from "#lib/links/folders/schema";
import { type Tag, tagShape } from "#lib/links/tags/schema";

const shownMax = 50;

function queryOf(search: string): URLSearchParams {
  const params = new URLSearchParams({ pageSize: String(shownMax) });
  if (search) params.set("search", search);
  return params;
}

async function listOf(workspace: string, path: string): Promise<unknown> {
  return await (await callApi({ workspace, path })).json();
}

function queryOfIds(ids: readonly string[]): URLSearchParams {
  return new URLSearchParams({ ids: ids.join(","), pageSize: String(ids.length) });
}

export async function readTags(workspace: string, search: string): Promise<Tag[]> {
  return z.array(tagShape).parse(await listOf(workspace, `/tags?${queryOf(search)}`));
}

export async function readFolders(workspace: string, search: string): Promise<Folder[]> {
  return z.array(folderShape).parse(await listOf(workspace, `/folders?${queryOf(search)}`));
}

export async function readTagsOf(workspace: string, ids: readonly string[]): Promise<Tag[]> {
  return z.array(tagShape).parse(await listOf(workspace, `/tags?${queryOfIds(ids)}`));
}

export async function readFoldersOf(workspace: string, ids: readonly string[]): Promise<Folder[]> {
  return z.array(folderShape).parse(await listOf(workspace, `/folders?${queryOfIds(ids)}`));
}

async function makeNamed(workspace: string, path: string, name: string): Promise<unknown> {
  return await (await callApi({ workspace, path, method: "POST", body: { name } })).json();
}

export async function makeTag(workspace: string, name: string): Promise<Tag> {
  return tagShape.parse(await makeNamed(workspace, "/tags", name));
}

export async function makeFolder(workspace: string, name: string): Promise<Folder> {
  return folderShape.parse(await makeNamed(workspace, "/folders", name));
}
