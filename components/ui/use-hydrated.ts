import { useSyncExternalStore } from "react";

const never = () => () => undefined;

/** Whether React runs in the browser. False on the server, and in the first render of its HTML. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
