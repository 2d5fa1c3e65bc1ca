/// <reference types="chrome" />
/** The popup: it connects once, then shortens the page of the active tab. */
import { byId } from "./elements.ts";
import { showForm } from "./form-view.ts";
import { showResult } from "./result-view.ts";
import { showSetup } from "./setup-view.ts";
import { type Connection, forgetConnection, readConnection } from "./storage.ts";
import { translatePage } from "./texts.ts";

translatePage();
byId("disconnect", HTMLButtonElement).addEventListener("click", () => void disconnect());
const connection = await readConnection();
if (connection) await openForm(connection);
else await openSetup();

function openSetup(): Promise<void> {
  return showSetup((connected) => void openForm(connected));
}

async function openForm(connected: Connection): Promise<void> {
  byId("status", HTMLElement).textContent = "";
  byId("another", HTMLButtonElement).onclick = () => void openForm(connected);
  await showForm(connected, (link) => showResult(connected, link));
}

async function disconnect(): Promise<void> {
  await forgetConnection();
  await openSetup();
}
