/** Tags and folders of a workspace, as far as a search goes. */
import { z } from "zod";
import { type Folder, folderShape } from "#lib/folders/schema";
import { type Tag, tagShape } from "#lib/tags/schema";
import { ask } from "../forms/ask.ts";

/** As many as a person looks through; a search finds the others. */
const shownMax = 50;

function queryOf(search: string): URLSearchParams {
  const params = new URLSearchParams({ pageSize: String(shownMax) });
  if (search) params.set("search", search);
  return params;
}

async function listOf(workspace: string, path: string): Promise<unknown> {
  return await (await ask({ workspace, path })).json();
}

export async function readTags(workspace: string, search: string): Promise<Tag[]> {
  return z.array(tagShape).parse(await listOf(workspace, `/tags?${queryOf(search)}`));
}

export async function readFolders(workspace: string, search: string): Promise<Folder[]> {
  return z.array(folderShape).parse(await listOf(workspace, `/folders?${queryOf(search)}`));
}
