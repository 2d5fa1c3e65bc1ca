/** Lets a page with unsaved changes ask before it is left. */

const leaveEvent = "fuxi:leave";

/** Returns false if the page asks first. It then opens the path itself after a confirmation. */
export function mayLeave(path: string): boolean {
  return window.dispatchEvent(new CustomEvent(leaveEvent, { cancelable: true, detail: path }));
}

export interface PageHold {
  /** Called when the person decided not to go back to the previous page. */
  holdAgain: () => void;
  /** Stops asking. With `stays`, the page is not left. */
  release: (stays: boolean) => void;
}

/**
 * Calls `ask` with the path that is about to be opened, or null for the previous page. An additional entry in the history, which
 * leads to this page again, catches the back button.
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
