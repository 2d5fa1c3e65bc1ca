/// <reference types="chrome" />
/** The form of a new link, filled in with the page of the active tab or the choice of the context menu. */
import { webUrlOf } from "./addresses.ts";
import { ask, openApi } from "./api.ts";
import { copyButton } from "./copying.ts";
import { byId, showError, showView } from "./elements.ts";
import { hasAccess } from "./setup-view.ts";
import { addRecent, type Connection, readRecent } from "./storage.ts";
import { text } from "./texts.ts";

const titleCharsMax = 500;
const domainsMax = 100;

export interface CreatedLink {
  id: string;
  key: string;
  shortLink: string;
}

interface Page {
  url: string;
  title: string;
}

const url = () => byId("url", HTMLInputElement);
const slug = () => byId("slug", HTMLInputElement);
const domain = () => byId("domain", HTMLSelectElement);
const submit = () => byId("shorten", HTMLButtonElement);

export async function showForm(
  connection: Connection,
  onCreated: (link: CreatedLink) => void,
): Promise<void> {
  const page = await readPage();
  url().value = webUrlOf(page.url) ?? "";
  byId("page-title", HTMLElement).textContent = page.title;
  byId("workspace", HTMLElement).textContent = text("connectedTo", connection.workspace);
  slug().value = "";
  showError("form-error", url().value === "" ? text("notShortenable") : "");
  byId("form", HTMLFormElement).onsubmit = (event) => {
    event.preventDefault();
    void shorten(connection, page, onCreated);
  };
  showView("form");
  const first = url().value === "" ? url() : submit();
  first.focus();
  await Promise.all([listRecent(), listDomains(connection)]);
}

/** The page from the context menu, or else the active tab, which a click on the icon lets the extension read. */
async function readPage(): Promise<Page> {
  const chosen = new URLSearchParams(location.search);
  if (chosen.has("url")) return { url: chosen.get("url") ?? "", title: chosen.get("title") ?? "" };
  const [tab] = await chrome.tabs.query({ active: true, currentWindow: true });
  return { url: tab?.url ?? "", title: tab?.title ?? "" };
}

async function shorten(
  connection: Connection,
  page: Page,
  onCreated: (link: CreatedLink) => void,
): Promise<void> {
  const destination = webUrlOf(url().value);
  if (destination === undefined) return showError("form-error", text("urlMissing"));
  showError("form-error", "");
  submit().disabled = true;
  submit().textContent = text("shortening");
  const key = slug().value.trim();
  // The title belongs to the page, so it is not used for another URL.
  const title = destination === page.url ? page.title.trim().slice(0, titleCharsMax) : "";
  const body = {
    url: destination,
    ...(title !== "" && { title }),
    ...(key !== "" && { key }),
    ...(domain().value !== "" && { domain: domain().value }),
  };
  const { server } = connection;
  const link = await ask(server, openApi(connection).POST("/api/links", { body }));
  submit().disabled = false;
  submit().textContent = text("shorten");
  if (!link.ok) return showError("form-error", await explain(link.message, server));
  await addRecent({ shortLink: link.data.shortLink, url: destination });
  onCreated(link.data);
}

/** Users can withdraw access to the host. Calls then fail as if there were no network. */
async function explain(message: string, server: string): Promise<string> {
  return (await hasAccess(server)) ? message : text("notAllowed", new URL(server).host);
}

async function listDomains(connection: Connection): Promise<void> {
  const field = byId("domain-field", HTMLElement);
  field.hidden = true;
  if (!connection.mayReadDomains) return;
  const query = { pageSize: domainsMax };
  const found = await ask(
    connection.server,
    openApi(connection).GET("/api/domains", { params: { query } }),
  );
  // Without the list, links are created on the primary domain.
  if (!found.ok) return;
  const active = found.data.filter(({ verified }) => verified).map((one) => one.slug);
  if (active.length < 2) return;
  const primary = new Option(text("primaryDomain"), "");
  domain().replaceChildren(primary, ...active.map((name) => new Option(name, name)));
  field.hidden = false;
}

async function listRecent(): Promise<void> {
  const links = await readRecent();
  const rows = links.map(({ shortLink, url: destination }) => {
    const row = document.createElement("li");
    const name = document.createElement("span");
    name.title = destination;
    name.textContent = shortLink.replace(/^https?:\/\//, "");
    row.append(name, copyButton(shortLink));
    return row;
  });
  byId("recent-list", HTMLUListElement).replaceChildren(...rows);
  byId("recent", HTMLElement).hidden = rows.length === 0;
}
