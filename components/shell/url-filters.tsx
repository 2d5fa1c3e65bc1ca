"use client";

import { Search } from "lucide-react";
import { usePathname, useRouter, useSearchParams } from "next/navigation";
import { useEffect, useId, useRef, useState, useTransition } from "react";
import { classNames } from "#components/ui/class-names.ts";
import { Input } from "#components/ui/input";
import { Spinner } from "#components/ui/spinner";
import { useShortcut } from "./shortcuts.tsx";

const debounceMs = 180;
/** Parameters for the position in a list. Changing a filter removes them, so that the list starts at its first page. */
const positionParams = ["page", "after", "before", "row"];

/** The parameters of a navigation in progress. A second change builds on them instead of the old URL. */
let requested: { from: string; next: URLSearchParams } | undefined;

/** A select element cannot have an empty value. */
export const everything = "*";

export function useUrlFilters() {
  const router = useRouter();
  const path = usePathname();
  const params = useSearchParams();
  const [pending, start] = useTransition();
  const current = `${path}?${params}`;
  useEffect(() => {
    if (requested?.from !== current) requested = undefined;
  }, [current]);
  function set(values: Readonly<Record<string, string>>) {
    const next = new URLSearchParams(requested?.from === current ? requested.next : params);
    for (const place of positionParams) next.delete(place);
    for (const [name, value] of Object.entries(values)) {
      if (value === "") next.delete(name);
      else next.set(name, value);
    }
    requested = { from: current, next };
    start(() => router.replace(next.size > 0 ? `${path}?${next}` : path, { scroll: false }));
  }
  /** The props of a select for a parameter. */
  const select = (name: string) => ({
    value: params.get(name) || everything,
    onValueChange: (value: string) => set({ [name]: value === everything ? "" : value }),
  });
  return { params, pending, set, select };
}

export type UrlFilters = ReturnType<typeof useUrlFilters>;

/** Searches a list while typing; the text is in the URL as `search`. */
export function UrlSearch({
  label,
  placeholder,
  searching,
  className = "mb-4 block",
}: {
  label: string;
  placeholder: string;
  searching: string;
  className?: string;
}) {
  const { params, pending, set } = useUrlFilters();
  const id = useId();
  const box = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const searched = params.get("search") ?? "";
  const [text, setText] = useState(searched);
  useShortcut("search", () => box.current?.select());

  // Follows changes of the URL from elsewhere, such as a button that clears the filters or a step back in the history.
  useEffect(() => {
    if (document.activeElement !== box.current) setText(searched);
  }, [searched]);
  useEffect(() => () => clearTimeout(timer.current), []);

  function type(next: string) {
    setText(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => set({ search: next.trim() }), debounceMs);
  }

  return (
    <search className={classNames("relative sm:max-w-md", className)}>
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <span className="pointer-events-none absolute inset-y-0 left-2.5 grid place-items-center text-ink-faint">
        {pending ? <Spinner /> : <Search aria-hidden className="size-4" />}
      </span>
      <Input
        id={id}
        ref={box}
        type="search"
        value={text}
        placeholder={placeholder}
        onChange={(event) => type(event.target.value)}
        className="pl-8"
      />
      <span role="status" className="sr-only">
        {pending ? searching : ""}
      </span>
    </search>
  );
}
