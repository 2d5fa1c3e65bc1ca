/** Reloads the page, because the router’s cache was rendered without a session. */
export function loadPage(address: string): void {
  window.location.assign(address);
}
