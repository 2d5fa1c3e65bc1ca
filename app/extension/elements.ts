/** An element of popup.html. If it is missing or of another type, that is a bug. */
export function byId<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const found = document.getElementById(id);
  if (found instanceof kind) return found;
  throw new Error(`popup.html has no ${kind.name} #${id}`);
}

const views = ["setup", "form", "result"] as const;

export function showView(shown: (typeof views)[number]): void {
  for (const view of views) byId(view, HTMLElement).hidden = view !== shown;
}

export function showError(id: "setup-error" | "form-error", message: string): void {
  const element = byId(id, HTMLElement);
  element.textContent = message;
  element.hidden = message === "";
}
