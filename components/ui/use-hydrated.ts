import { useSyncExternalStore } from "react";

const never = () => () => undefined;

/** Whether React runs in the browser: false for the HTML of the server and the first render of it. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
