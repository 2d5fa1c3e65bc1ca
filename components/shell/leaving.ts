/** Whether a page may be left: a page with unsaved changes asks first. */

const leaveEvent = "fuxi:leave";

/** False: the page asks, and opens the path itself once that is confirmed. */
export function mayLeave(path: string): boolean {
  return window.dispatchEvent(new CustomEvent(leaveEvent, { cancelable: true, detail: path }));
}

export interface PageHold {
  /** After a question about the page before was answered with no. */
  holdAgain: () => void;
  /** Nothing asks any more. With `stays`, the page is not left. */
  release: (stays: boolean) => void;
}

/**
 * Calls `ask` with the path that was about to be opened, or null for the page before. An entry of its own in the history
 * catches the back button: it leads to this page again.
 */
export function holdPage(ask: (path: string | null) => void): PageHold {
  let isHeld = false;
  const holdAgain = () => {
    history.pushState(history.state, "", location.href);
    isHeld = true;
  };
  const onLeave = (event: Event) => {
    event.preventDefault();
    ask(String(event instanceof CustomEvent ? event.detail : "/"));
  };
  const onClick = (event: MouseEvent) => {
    const path = pathOf(event);
    if (path === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    ask(path);
  };
  const onBack = () => {
    isHeld = false;
    ask(null);
  };
  const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
  holdAgain();
  window.addEventListener(leaveEvent, onLeave);
  document.addEventListener("click", onClick, true);
  window.addEventListener("popstate", onBack);
  window.addEventListener("beforeunload", onUnload);
  return {
    holdAgain,
    release: (stays) => {
      window.removeEventListener(leaveEvent, onLeave);
      document.removeEventListener("click", onClick, true);
      window.removeEventListener("popstate", onBack);
      window.removeEventListener("beforeunload", onUnload);
      if (stays && isHeld) history.back();
    },
  };
}

/** The path that a click opens in this tab, if it is another page of Fuxi. */
function pathOf(event: MouseEvent): string | undefined {
  const { target, button, ctrlKey, metaKey, shiftKey, altKey } = event;
  const anchor = target instanceof Element ? target.closest("a") : null;
  if (!anchor || button !== 0 || ctrlKey || metaKey || shiftKey || altKey) return undefined;
  if (anchor.target === "_blank" || anchor.hasAttribute("download")) return undefined;
  const { origin, pathname, search } = new URL(anchor.href, location.href);
  const isSame = pathname === location.pathname && search === location.search;
  return origin === location.origin && !isSame ? `${pathname}${search}` : undefined;
}
