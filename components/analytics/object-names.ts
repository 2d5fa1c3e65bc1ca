"use client";

/** The names of links, tags and folders: a URL contains only their ids. */
import { useEffect, useState } from "react";
import type { BoardFilter, FilterName } from "./board-query.ts";
import { readJson, useSource } from "./source.tsx";

const urls: Partial<Record<FilterName, (id: string) => string>> = {
  linkId: (id) => `/api/links/${encodeURIComponent(id)}`,
  tagId: (id) => `/api/tags?${new URLSearchParams({ ids: id })}`,
  folderId: (id) => `/api/folders/${encodeURIComponent(id)}`,
};

/** Returns the name of an id once it is loaded. */
export function useObjectNames(
  filters: readonly BoardFilter[],
): (id: string) => string | undefined {
  const source = useSource();
  const [names, setNames] = useState<Readonly<Record<string, string>>>({});
  const wanted = filters
    .flatMap(({ name, values }) => values.map((id) => urls[name]?.(id)))
    .filter((address) => address !== undefined)
    .join("\n");
  useEffect(() => {
    // A share may only query its own stats.
    if (source.workspace === undefined || wanted === "") return;
    const controller = new AbortController();
    for (const address of wanted.split("\n")) {
      readJson(address, source, controller.signal)
        .then((answer) => setNames((before) => ({ ...before, ...namesIn(answer) })))
        .catch(() => undefined); // the id is displayed instead
    }
    return () => controller.abort();
  }, [source, wanted]);
  return (id) => names[id];
}

function namesIn(answer: unknown): Record<string, string> {
  const things: { id?: unknown; name?: unknown; shortLink?: unknown }[] = Array.isArray(answer)
    ? answer
    : [Object(answer)];
  return Object.fromEntries(
    things.flatMap(({ id, name, shortLink }) => {
      const text = shortLink ?? name;
      return typeof id === "string" && typeof text === "string" ? [[id, text]] : [];
    }),
  );
}
