/**
 * Tells the totals that clicks arrived in the live view. The totals are loaded again instead of incremented, so that a click that
 * is already included is not counted twice.
 */
type Listener = () => void;

/** Calls the listeners at most once per `waitMs`, and always once after the last click. */
export function createLiveSignal(waitMs: number) {
  const listeners = new Set<Listener>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    notify(): void {
      if (timer) return;
      timer = setTimeout(() => {
        timer = undefined;
        for (const listener of listeners) listener();
      }, waitMs);
    },
    subscribe(listener: Listener): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

const waitMs = 1_000;

export const liveClicks = createLiveSignal(waitMs);
