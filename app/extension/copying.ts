import { byId } from "./elements.ts";
import { text } from "./texts.ts";

/** Copies and shows a confirmation. Without a click, or with the window in the background, the browser may refuse. */
export async function copy(shortLink: string): Promise<void> {
  const status = byId("status", HTMLElement);
  try {
    await navigator.clipboard.writeText(shortLink);
    status.textContent = text("copied");
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    status.textContent = text("notCopied");
  }
}

export function copyButton(shortLink: string): HTMLButtonElement {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "quiet";
  button.textContent = text("copy");
  button.setAttribute("aria-label", text("copyOf", shortLink));
  button.addEventListener("click", () => void copy(shortLink));
  return button;
}
