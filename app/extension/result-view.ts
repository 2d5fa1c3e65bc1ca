import { copy } from "./copying.ts";
import { byId, showView } from "./elements.ts";
import type { CreatedLink } from "./form-view.ts";
import { drawQrCode, savePng } from "./qr-code.ts";
import type { Connection } from "./storage.ts";
import { text } from "./texts.ts";

export function showResult({ server, workspace }: Connection, link: CreatedLink): void {
  const { id, key, shortLink } = link;
  const field = byId("short-link", HTMLInputElement);
  const canvas = byId("qr-code", HTMLCanvasElement);
  field.value = shortLink;
  drawQrCode(canvas, shortLink);
  canvas.setAttribute("aria-label", text("qrCode", shortLink));
  byId("copy", HTMLButtonElement).onclick = () => void copy(shortLink);
  byId("save-png", HTMLButtonElement).onclick = () => savePng(canvas, key.replaceAll("/", "-"));
  byId("details", HTMLAnchorElement).href = `${server}/app/${workspace}/links/${id}`;
  showView("result");
  field.focus();
  field.select();
  void copy(shortLink);
}
