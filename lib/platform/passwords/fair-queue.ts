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
  waitingMax: number;
  waitingPerGroupMax: number;
  waitingPerMemberMax: number;
}

interface Waiting {
  member: string;
  start: () => void;
}

export class FairQueue {
  readonly #limits: FairQueueLimits;
  /** In the order of their turns; a group without waiting work has no entry. */
  readonly #groups = new Map<string, Waiting[]>();
  #running = 0;
  #waiting = 0;

  constructor(limits: FairQueueLimits) {
    this.#limits = limits;
  }

  /** Whether that many pieces of work can be queued now. */
  hasRoom({ group, member }: QueueOwner, count: number): boolean {
    const { waitingMax, waitingPerGroupMax, waitingPerMemberMax } = this.#limits;
    const queued = this.#groups.get(group) ?? [];
    const own = queued.filter((one) => one.member === member).length;
    return (
      this.#waiting + count <= waitingMax &&
      queued.length + count <= waitingPerGroupMax &&
      own + count <= waitingPerMemberMax
    );
  }

  /** Does the work when it is its turn. Callers ask for room first. */
  async run<T>({ group, member }: QueueOwner, work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#limits.runningMax) this.#running += 1;
    else {
      await new Promise<void>((start) => {
        const queued = this.#groups.get(group);
        if (queued) queued.push({ member, start });
        else this.#groups.set(group, [{ member, start }]);
        this.#waiting += 1;
      });
    }
    try {
      return await work();
    } finally {
      this.#startNext();
    }
  }

  /** The slot passes to the next group, which then waits for all others. */
  #startNext(): void {
    const [turn] = this.#groups;
    if (!turn) {
      this.#running -= 1;
      return;
    }
    const [group, queued] = turn;
    const next = queued.shift();
    this.#groups.delete(group);
    if (queued.length > 0) this.#groups.set(group, queued);
    this.#waiting -= 1;
    next?.start();
  }
}
