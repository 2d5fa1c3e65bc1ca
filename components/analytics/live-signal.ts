/**
 * Tells the totals that clicks arrived in the live view. They load their numbers again instead of adding to them, so
 * that a click which an answer contains already is not counted twice.
 */
type Listener = () => void;

/** At most one call of the listeners in `waitMs`, and always one after the last click. */
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
