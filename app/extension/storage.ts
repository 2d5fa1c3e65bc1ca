/// <reference types="chrome" />
/** What the extension keeps, in this browser only: the connection, and the links that it created last. */

export interface Connection {
  server: string;
  apiKey: string;
  workspace: string;
  mayReadDomains: boolean;
}

export interface RecentLink {
  shortLink: string;
  url: string;
}

/** What was entered before the browser asked for access, because that closes the popup on some systems. */
export interface Draft {
  server: string;
  apiKey: string;
}

const recentMax = 5;

/** Sound because only the functions below write. */
export async function readConnection(): Promise<Connection | undefined> {
  const { connection } = await chrome.storage.local.get<{ connection?: Connection }>("connection");
  return connection;
}

export async function saveConnection(connection: Connection): Promise<void> {
  await chrome.storage.session.remove("draft");
  await chrome.storage.local.set({ connection });
}

/** Removes the key and everything else that belongs to the workspace. */
export async function forgetConnection(): Promise<void> {
  await chrome.storage.local.clear();
}

/** Kept in memory only, so it is gone when the browser closes. */
export async function keepDraft(draft: Draft): Promise<void> {
  await chrome.storage.session.set({ draft });
}

export async function readDraft(): Promise<Draft | undefined> {
  const { draft } = await chrome.storage.session.get<{ draft?: Draft }>("draft");
  return draft;
}

export async function readRecent(): Promise<RecentLink[]> {
  const { recent = [] } = await chrome.storage.local.get<{ recent?: RecentLink[] }>("recent");
  return recent;
}

/** Newest first. A link that was created again is listed only once. */
export async function addRecent(link: RecentLink): Promise<void> {
  const others = (await readRecent()).filter(({ shortLink }) => shortLink !== link.shortLink);
  await chrome.storage.local.set({ recent: [link, ...others].slice(0, recentMax) });
}
