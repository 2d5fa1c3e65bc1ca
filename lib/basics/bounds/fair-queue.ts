/**
 * A queue in which every group has its turn: the work of one group never waits for more than one piece of each other
 * group, however much these have queued.
 */

/** Who asks for work: groups take turns; within a group, a member may not fill the queue of the others. */
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
  /** Work that takes longer goes on and is no longer counted, so that what is slow blocks no turn. */
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
  /** In the order of their turns; a group without work has no entry. */
  readonly #groups = new Map<string, Group>();
  #running = 0;
  #waiting = 0;

  constructor(limits: FairQueueLimits) {
    this.#limits = limits;
  }

  /** Whether that many pieces of work can be queued now. */
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

  /** Begins work at its turn. The result ends it, or gives up its place. Callers ask for room first. */
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

  /** Does the work when it is its turn. Callers ask for room first. */
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

  /** Counts running work until it ends or has taken its time; the result ends it, once. */
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
      // To the end of the row: the other groups are next.
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
