import { useEffect, useEffectEvent, useState } from "react";
import type { NamedOption } from "./names.ts";

/** The names of a draft's ids. Deleted objects are shown by id. */
export function useNamesOf(
  ids: readonly string[],
  read: (ids: string[]) => Promise<NamedOption[]>,
) {
  const [known, setKnown] = useState<ReadonlyMap<string, NamedOption>>(new Map());
  const load = useEffectEvent(read);
  const unknown = ids.filter((id) => !known.has(id)).join(",");
  useEffect(() => {
    if (unknown === "") return;
    let stale = false;
    const requestedIds = unknown.split(",");
    const keep = (found: readonly NamedOption[]) => {
      if (stale) return;
      const all = [...requestedIds.map((id) => ({ id, name: id })), ...found];
      setKnown((before) => new Map([...before, ...all.map((one) => [one.id, one] as const)]));
    };
    load(requestedIds).then(keep, () => keep([]));
    return () => {
      stale = true;
    };
  }, [unknown]);
  const learn = (named: NamedOption) => setKnown((before) => new Map(before).set(named.id, named));
  return { nameOf: (id: string): NamedOption => known.get(id) ?? { id, name: "…" }, learn };
}
