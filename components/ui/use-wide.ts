import { useSyncExternalStore } from "react";

const wideQuery = "(min-width: 1100px)";

/** Whether a preview fits next to its form. */
export function useIsWide(): boolean {
  return useSyncExternalStore(
    (onChange) => {
      const query = window.matchMedia(wideQuery);
      query.addEventListener("change", onChange);
      return () => query.removeEventListener("change", onChange);
    },
    () => window.matchMedia(wideQuery).matches,
    () => false,
  );
}
