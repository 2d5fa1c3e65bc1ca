/**
 * Runs a limited number of tasks at a time and gives each network its turn, so that the first task of one network does
 * not wait for the hundreds of another.
 */
export interface FairQueueLimits {
  /** Tasks that run at the same time, of all networks. */
  runningMax: number;
  /** Of one network. */
  runningPerNetworkMax: number;
  waitingPerNetworkMax: number;
  /** A task that takes longer keeps running and is no longer counted: a client that reads slowly blocks no turn. */
  heldMsMax: number;
}

interface Turns {
  running: number;
  waiting: Task[];
}

interface Task {
  begin: () => void;
}

export class FairQueue {
  readonly #limits: FairQueueLimits;
  /** By network; the first one that waits has the next turn. */
  readonly #networks = new Map<string, Turns>();
  #running = 0;

  constructor(limits: FairQueueLimits) {
    this.#limits = limits;
  }

  /** Begins the task at its turn; undefined: too many of this network wait. The result ends the task, or gives it up. */
  enter(network: string, begin: () => void): (() => void) | undefined {
    const turns = this.#networks.get(network) ?? { running: 0, waiting: [] };
    if (turns.waiting.length >= this.#limits.waitingPerNetworkMax) return undefined;
    this.#networks.set(network, turns);
    let leave = () => {
      turns.waiting = turns.waiting.filter((other) => other !== task);
      this.#forget(network, turns);
    };
    const task: Task = {
      begin: () => {
        leave = this.#hold(network, turns);
        begin();
      },
    };
    turns.waiting.push(task);
    this.#next();
    return () => leave();
  }

  /** Counts a running task until it ends or has taken its time. */
  #hold(network: string, turns: Turns): () => void {
    turns.running += 1;
    this.#running += 1;
    let isHeld = true;
    const release = () => {
      if (!isHeld) return;
      isHeld = false;
      clearTimeout(timer);
      turns.running -= 1;
      this.#running -= 1;
      this.#forget(network, turns);
      this.#next();
    };
    const timer = setTimeout(release, this.#limits.heldMsMax);
    timer.unref();
    return release;
  }

  #next(): void {
    while (this.#running < this.#limits.runningMax) {
      const found = [...this.#networks].find(
        ([, { running, waiting }]) =>
          waiting.length > 0 && running < this.#limits.runningPerNetworkMax,
      );
      if (!found) return;
      const [network, turns] = found;
      // To the end of the row: the other networks are next.
      this.#networks.delete(network);
      this.#networks.set(network, turns);
      turns.waiting.shift()?.begin();
    }
  }

  #forget(network: string, { running, waiting }: Turns): void {
    if (running === 0 && waiting.length === 0) this.#networks.delete(network);
  }
}
