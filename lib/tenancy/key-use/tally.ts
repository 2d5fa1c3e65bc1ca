/** Uses of keys since the last flush. */
import { hourMs } from "#lib/basics/time/schema";
import { keyAppsMax } from "./schema.ts";

export interface HourOfKey {
  pk: number;
  hour: number;
  calls: number;
  links: number;
  refusals: number;
  lastAt: number | null;
  lastAddress: string | null;
}

export interface AppOfKey {
  pk: number;
  name: string;
  version: string;
  calls: number;
  lastAt: number;
}

export interface CreatedByKey {
  pk: number;
  workspacePk: number;
  actor: string;
  links: number;
}

export class Tally {
  readonly #hours = new Map<string, HourOfKey>();
  readonly #apps = new Map<number, Map<string, AppOfKey>>();
  readonly #created = new Map<number, CreatedByKey>();

  get isEmpty(): boolean {
    return this.#hours.size === 0;
  }

  hours(): HourOfKey[] {
    // Always sorted, so that processes cannot deadlock on rows.
    return [...this.#hours.values()].sort((a, b) => a.pk - b.pk || a.hour - b.hour);
  }

  apps(): AppOfKey[] {
    const all = [...this.#apps.values()].flatMap((one) => [...one.values()]);
    return all.sort((a, b) => a.pk - b.pk || (nameOf(a) < nameOf(b) ? -1 : 1));
  }

  created(): CreatedByKey[] {
    return [...this.#created.values()];
  }

  addCall(pk: number, at: number, address: string, refused: boolean): void {
    const hour = this.#hourOf(pk, at);
    hour.calls += 1;
    if (refused) hour.refusals += 1;
    hour.lastAt = at;
    hour.lastAddress = address;
  }

  addApp(app: AppOfKey): void {
    const ofKey = this.#apps.get(app.pk) ?? new Map<string, AppOfKey>();
    this.#apps.set(app.pk, ofKey);
    const before = ofKey.get(nameOf(app));
    if (before) {
      before.calls += app.calls;
      before.lastAt = Math.max(before.lastAt, app.lastAt);
    } else if (ofKey.size < keyAppsMax) ofKey.set(nameOf(app), { ...app });
  }

  addCreated(created: CreatedByKey, at: number): void {
    this.#hourOf(created.pk, at).links += created.links;
    this.#addEntry(created);
  }

  merge(other: Tally): void {
    for (const hour of other.hours()) {
      const mine = this.#hourOf(hour.pk, hour.hour);
      mine.calls += hour.calls;
      mine.links += hour.links;
      mine.refusals += hour.refusals;
      if (mine.lastAt !== null || hour.lastAt === null) continue;
      mine.lastAt = hour.lastAt;
      mine.lastAddress = hour.lastAddress;
    }
    for (const app of other.apps()) this.addApp(app);
    for (const created of other.created()) this.#addEntry(created);
  }

  #addEntry(created: CreatedByKey): void {
    const before = this.#created.get(created.pk);
    if (before) before.links += created.links;
    else this.#created.set(created.pk, { ...created });
  }

  #hourOf(pk: number, at: number): HourOfKey {
    const hour = Math.floor(at / hourMs) * hourMs;
    const name = `${pk} ${hour}`;
    const found = this.#hours.get(name);
    if (found) return found;
    const made = { pk, hour, calls: 0, links: 0, refusals: 0, lastAt: null, lastAddress: null };
    this.#hours.set(name, made);
    return made;
  }
}

function nameOf({ name, version }: AppOfKey): string {
  return `${name}/${version}`;
}
