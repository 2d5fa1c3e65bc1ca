/**
 * Copies a text to the clipboard. Returns false if the browser refuses.
 *
 * Browsers only offer navigator.clipboard on secure origins. An instance in a local network may have none, so the text is put
 * into a field, selected and copied there.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

function copyBySelection(text: string): boolean {
  const before = document.activeElement;
  const field = document.createElement("textarea");
  field.value = text;
  field.setAttribute("readonly", "");
  field.style.position = "fixed";
  field.style.opacity = "0";
  // In an open dialog, the focus must stay inside it.
  const home = before?.closest("[role=dialog]") ?? document.body;
  home.append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  if (before instanceof HTMLElement) before.focus();
  return done;
}
