/** Tags and folders of a workspace, as far as a search goes. */
import { z } from "zod";
import { type Folder, folderShape } from "#lib/folders/schema";
import { type Tag, tagShape } from "#lib/tags/schema";
import { signedOutEvent } from "../forms/form.tsx";

/** As many as a person looks through; a search finds the others. */
const shownMax = 50;

async function ask(workspace: string, path: string): Promise<unknown> {
  const response = await fetch(`/api${path}`, { headers: { "X-Fuxi-Workspace": workspace } });
  if (response.status === 401) window.dispatchEvent(new Event(signedOutEvent));
  if (!response.ok) throw new Error(`The API answered ${response.status}`);
  return await response.json();
}

function queryOf(search: string): URLSearchParams {
  const params = new URLSearchParams({ pageSize: String(shownMax) });
  if (search) params.set("search", search);
  return params;
}

export async function readTags(workspace: string, search: string): Promise<Tag[]> {
  return z.array(tagShape).parse(await ask(workspace, `/tags?${queryOf(search)}`));
}

export async function readFolders(workspace: string, search: string): Promise<Folder[]> {
  return z.array(folderShape).parse(await ask(workspace, `/folders?${queryOf(search)}`));
}
