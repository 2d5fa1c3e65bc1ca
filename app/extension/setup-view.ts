/// <reference types="chrome" />
/** The first view: the address of an instance and an API key, which are checked with a call before they are kept. */
import { serverOf } from "./addresses.ts";
import { ask, openApi } from "./api.ts";
import { byId, showError, showView } from "./elements.ts";
import { type Connection, type Draft, keepDraft, readDraft, saveConnection } from "./storage.ts";
import { text } from "./texts.ts";

const address = () => byId("address", HTMLInputElement);
const apiKey = () => byId("api-key", HTMLInputElement);
const submit = () => byId("connect", HTMLButtonElement);

export async function showSetup(onConnected: (connection: Connection) => void): Promise<void> {
  const draft = await readDraft();
  // An instance writes its own address into the extension that it serves.
  address().value = draft?.server ?? chrome.runtime.getManifest().homepage_url ?? "";
  apiKey().value = draft?.apiKey ?? "";
  address().addEventListener("input", updateLink);
  updateLink();
  byId("setup", HTMLFormElement).onsubmit = (event) => {
    event.preventDefault();
    void connect(onConnected);
  };
  showView("setup");
  const first = address().value === "" ? address() : apiKey();
  first.focus();
  // The popup was closed when the browser asked for access.
  if (draft && (await hasAccess(draft.server))) await finish(draft, onConnected);
}

function updateLink(): void {
  const link = byId("open-fuxi", HTMLAnchorElement);
  const server = serverOf(address().value);
  link.hidden = server === undefined;
  link.href = `${server ?? ""}/app`;
}

async function connect(onConnected: (connection: Connection) => void): Promise<void> {
  const server = serverOf(address().value);
  const key = apiKey().value.trim();
  if (server === undefined) return showError("setup-error", text("addressMissing"));
  if (!/^[\x21-\x7e]+$/.test(key)) return showError("setup-error", text("keyMissing"));
  const draft = { server, apiKey: key };
  // Not awaited, because the browser only asks for access while it handles the click.
  const kept = keepDraft(draft);
  const isAllowed = await chrome.permissions.request({ origins: [`${server}/*`] });
  await kept;
  if (!isAllowed) return showError("setup-error", text("notAllowed", new URL(server).host));
  await finish(draft, onConnected);
}

export function hasAccess(server: string): Promise<boolean> {
  return chrome.permissions.contains({ origins: [`${server}/*`] });
}

async function finish(draft: Draft, onConnected: (connection: Connection) => void): Promise<void> {
  showError("setup-error", "");
  submit().disabled = true;
  submit().textContent = text("connecting");
  const me = await ask(draft.server, openApi(draft).GET("/api/me"));
  submit().disabled = false;
  submit().textContent = text("connect");
  if (!me.ok) return showError("setup-error", me.message);
  const { permissions, workspace } = me.data;
  if (!permissions.includes("links.write")) {
    return showError("setup-error", text("keyCannotCreate"));
  }
  const mayReadDomains = permissions.includes("domains.read");
  const connection = { ...draft, workspace: workspace.slug, mayReadDomains };
  await saveConnection(connection);
  apiKey().value = "";
  onConnected(connection);
}
