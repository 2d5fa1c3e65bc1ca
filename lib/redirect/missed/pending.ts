/** Days and names in memory. With a name of 64 characters, 10,000 of them take about 2 MB. */
export const pendingMax = 10_000;

interface Place {
  domainPk: number;
  workspacePk: number;
  day: string;
}

export interface MissedDay extends Place {
  bots: number;
  /** Visits whose names are not stored. */
  others: number;
  keys: Map<string, number>;
  /** When the last of them was visited. One moment for all costs a flood of names less than one for each. */
  at: number;
}

export class PendingMisses {
  #days = new Map<string, MissedDay>();
  #size = 0;

  /** Undefined: there is no room for another day. */
  find({ domainPk, workspacePk, day }: Place): MissedDay | undefined {
    const name = `${domainPk} ${workspacePk} ${day}`;
    const known = this.#days.get(name);
    if (known || this.#size >= pendingMax) return known;
    const counts = { bots: 0, others: 0, keys: new Map(), at: 0 };
    const made: MissedDay = { domainPk, workspacePk, day, ...counts };
    this.#days.set(name, made);
    this.#size += 1;
    return made;
  }

  /** Without room for another name, the visits are counted without it. */
  add(day: MissedDay, key: string, visits: number, at: number): void {
    const known = day.keys.get(key);
    day.at = Math.max(day.at, at);
    if (known !== undefined) day.keys.set(key, known + visits);
    else if (this.#size < pendingMax) {
      this.#size += 1;
      day.keys.set(copyText(key), visits);
    } else day.others += visits;
  }

  take(): MissedDay[] {
    const days = [...this.#days.values()];
    this.#days = new Map();
    this.#size = 0;
    return days;
  }

  putBack(missed: MissedDay): void {
    const day = this.find(missed);
    if (!day) return;
    day.bots += missed.bots;
    day.others += missed.others;
    for (const [key, visits] of missed.keys) this.add(day, key, visits, missed.at);
  }
}

/** A substring would keep its whole request URL in memory. */
function copyText(text: string): string {
  return Buffer.from(text, "utf16le").toString("utf16le");
}
