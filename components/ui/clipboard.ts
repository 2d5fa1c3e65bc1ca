/**
 * Copies a text to the clipboard; false when the browser refuses.
 *
 * Browsers offer navigator.clipboard on secure origins only. An instance in a local network has none, so there the text
 * is put into a field that is selected and copied.
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
  // Inside an open dialog the focus must not leave it.
  const home = before?.closest("[role=dialog]") ?? document.body;
  home.append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  if (before instanceof HTMLElement) before.focus();
  return done;
}
