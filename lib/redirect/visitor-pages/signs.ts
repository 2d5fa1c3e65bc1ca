/** Small pictures above the titles of pages. A page with a logo shows the logo instead. */
const paths = {
  search: '<circle cx="11" cy="11" r="7"/><path d="m20 20-4-4M9 9l4 4M13 9l-4 4"/>',
  clock: '<circle cx="12" cy="12" r="9"/><path d="M12 7v5l3 2"/>',
  lock: '<rect x="4" y="11" width="16" height="9" rx="2"/><path d="M8 11V8a4 4 0 0 1 8 0v3"/>',
  stop: '<circle cx="12" cy="12" r="9"/><path d="m6 6 12 12"/>',
  person: '<circle cx="12" cy="8" r="4"/><path d="M4 21a8 8 0 0 1 16 0"/>',
  alert: '<path d="M12 4 2.5 20h19zM12 10v4M12 17h.01"/>',
  eye: '<path d="M2 12s4-7 10-7 10 7 10 7-4 7-10 7-10-7-10-7z"/><circle cx="12" cy="12" r="3"/>',
  message: '<path d="M21 5H3v12h5v4l5-4h8z"/><path d="M8 11h.01M12 11h.01M16 11h.01"/>',
};
export type Sign = keyof typeof paths;

export function signHtml(sign: Sign): string {
  const kind = sign === "alert" || sign === "stop" ? "sign alert" : "sign";
  return `<div class="${kind}"><svg viewBox="0 0 24 24" aria-hidden="true">${paths[sign]}</svg></div>`;
}
