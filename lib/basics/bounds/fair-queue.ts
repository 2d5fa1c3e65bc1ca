/** Groups take turns, so work waits for at most one piece of work of each other group. */

/** Groups take turns. Within a group, no member can fill the whole queue. */
export interface QueueOwner {
  group: string;
  member: string;
}

export interface FairQueueLimits {
  runningMax: number;
  runningPerGroupMax?: number;
  waitingMax?: number;
  waitingPerGroupMax: number;
  waitingPerMemberMax?: number;
  /** Slower work continues, but is no longer counted, so that it blocks no turn. */
  heldMsMax?: number;
}

interface Group {
  running: number;
  waiting: Waiting[];
}

interface Waiting {
  member: string;
  begin: () => void;
}

const unlimited = Number.POSITIVE_INFINITY;

export class FairQueue {
  readonly #limits: FairQueueLimits;
  readonly #groups = new Map<string, Group>();
  #running = 0;
  #waiting = 0;

  constructor(limits: FairQueueLimits) {
    this.#limits = limits;
  }

  hasRoom({ group, member }: QueueOwner, count: number): boolean {
    const { waitingMax = unlimited, waitingPerMemberMax = unlimited } = this.#limits;
    const waiting = this.#groups.get(group)?.waiting ?? [];
    const own = waiting.filter((one) => one.member === member).length;
    return (
      this.#waiting + count <= waitingMax &&
      waiting.length + count <= this.#limits.waitingPerGroupMax &&
      // defence: hash-queue-limit
      own + count <= waitingPerMemberMax
    );
  }

  /** Begins work at its turn. The returned function ends it or gives up its place. */
  enter({ group, member }: QueueOwner, begin: () => void): () => void {
    const state = this.#groups.get(group) ?? { running: 0, waiting: [] };
    this.#groups.set(group, state);
    const entry: Waiting = {
      member,
      begin: () => {
        leave = this.#hold(group, state);
        begin();
      },
    };
    let leave = () => {
      const at = state.waiting.indexOf(entry);
      if (at < 0) return;
      state.waiting.splice(at, 1);
      this.#waiting -= 1;
      this.#forgetIdle(group, state);
    };
    state.waiting.push(entry);
    this.#waiting += 1;
    this.#startNext();
    return () => leave();
  }

  async run<T>(owner: QueueOwner, work: () => Promise<T>): Promise<T> {
    let leave = () => {};
    await new Promise<void>((start) => {
      leave = this.enter(owner, start);
    });
    try {
      return await work();
    } finally {
      leave();
    }
  }

  #hold(group: string, state: Group): () => void {
    const { heldMsMax } = this.#limits;
    state.running += 1;
    this.#running += 1;
    let isHeld = true;
    const release = () => {
      if (!isHeld) return;
      isHeld = false;
      clearTimeout(timer);
      state.running -= 1;
      this.#running -= 1;
      this.#forgetIdle(group, state);
      this.#startNext();
    };
    const timer = heldMsMax === undefined ? undefined : setTimeout(release, heldMsMax);
    timer?.unref();
    return release;
  }

  #startNext(): void {
    while (this.#running < this.#limits.runningMax) {
      const group = this.#nextGroup();
      if (group === undefined) return;
      const state = this.#groups.get(group);
      if (!state) return;
      // Moves the group to the end of the line.
      // defence: hashing-turns
      this.#groups.delete(group);
      this.#groups.set(group, state);
      this.#waiting -= 1;
      state.waiting.shift()?.begin();
    }
  }

  #nextGroup(): string | undefined {
    const { runningPerGroupMax = unlimited } = this.#limits;
    for (const [group, { running, waiting }] of this.#groups) {
      // defence: page-turns-per-network
      if (waiting.length > 0 && running < runningPerGroupMax) return group;
    }
    return undefined;
  }

  #forgetIdle(group: string, { running, waiting }: Group): void {
    if (running === 0 && waiting.length === 0) this.#groups.delete(group);
  }
}
