"use client";

/**
 * A search field for the documentation: a combobox with a list of results. Without JavaScript it is a form that /docs answers.
 */
import { Search } from "lucide-react";
import { useRouter } from "next/navigation";
import { useLocale, useTranslations } from "next-intl";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { classNames } from "#components/ui/class-names.ts";
import { loadDocsIndex } from "./load-index.ts";
import type { DocsEntry } from "./search-index.ts";

const resultsMax = 8;

interface Found {
  text: string;
  /** Undefined if the search could not be loaded. */
  entries: readonly DocsEntry[] | undefined;
}

export function DocsSearch() {
  const t = useTranslations("docsSearch");
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const { text, found, entries, active, open, ...field } = useField();
  const shown = open && found !== undefined;
  const listed = shown && entries.length > 0;
  return (
    <search>
      <form
        ref={form}
        action="/docs"
        className="relative"
        onBlur={({ relatedTarget }) => {
          if (!form.current?.contains(relatedTarget)) field.close();
        }}
      >
        <label htmlFor={id} className="sr-only">
          {t("label")}
        </label>
        <Search
          aria-hidden
          className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-ink-faint"
        />
        <input
          id={id}
          name="q"
          type="search"
          role="combobox"
          autoComplete="off"
          aria-expanded={listed}
          aria-controls={listed ? `${id}-list` : undefined}
          aria-activedescendant={listed ? `${id}-${active}` : undefined}
          aria-autocomplete="list"
          placeholder={t("label")}
          value={text}
          onFocus={field.show}
          onChange={({ target }) => field.type(target.value)}
          onKeyDown={field.onKeyDown}
          className="h-9 w-full rounded-md border border-line-strong bg-surface pr-3 pl-9 text-base sm:text-sm pointer-coarse:h-11"
        />
        {shown ? (
          <div className="absolute inset-x-0 top-full z-40 mt-1.5 overflow-hidden rounded-xl border border-line bg-surface shadow-floating">
            {listed ? (
              <Results id={id} entries={entries} active={active} {...field} />
            ) : (
              <p className="px-4 py-5 text-ink-muted text-sm">
                {found.entries ? t("empty", { text: found.text }) : t("failed")}
              </p>
            )}
          </div>
        ) : null}
        <p role="status" className="sr-only">
          {shown ? t("count", { count: entries.length }) : ""}
        </p>
      </form>
    </search>
  );
}

function useField() {
  const router = useRouter();
  const [text, setText] = useState("");
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const found = useFound(text);
  const entries = found?.entries ?? [];

  function go(entry: DocsEntry | undefined) {
    if (!entry) return;
    setOpen(false);
    router.push(entry.href);
  }

  function onKeyDown(event: KeyboardEvent) {
    // Ignores keys that belong to an input method, such as choosing a suggestion.
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape") return setOpen(false);
    if (entries.length === 0) return;
    if (step !== undefined) {
      event.preventDefault();
      setOpen(true);
      setActive((active + step + entries.length) % entries.length);
    } else if (event.key === "Enter" && open) {
      event.preventDefault();
      go(entries[active]);
    }
  }

  function type(next: string) {
    setText(next);
    setActive(0);
    setOpen(true);
  }

  const show = () => setOpen(true);
  const close = () => setOpen(false);
  return { text, found, entries, active, open, type, show, close, onKeyDown, setActive, go };
}

interface ResultsProps {
  id: string;
  entries: readonly DocsEntry[];
  active: number;
  setActive: (at: number) => void;
  go: (entry: DocsEntry) => void;
}

function Results({ id, entries, active, setActive, go }: ResultsProps) {
  const t = useTranslations("docsSearch");
  return (
    <div
      id={`${id}-list`}
      role="listbox"
      aria-label={t("results")}
      className="max-h-[60dvh] overflow-y-auto p-1.5"
    >
      {entries.map((entry, at) => (
        <Result
          key={entry.href}
          id={`${id}-${at}`}
          entry={entry}
          selected={at === active}
          onHover={() => setActive(at)}
          onChoose={() => go(entry)}
        />
      ))}
    </div>
  );
}

interface ResultProps {
  id: string;
  entry: DocsEntry;
  selected: boolean;
  onHover: () => void;
  onChoose: () => void;
}

function Result({ id, entry, selected, onHover, onChoose }: ResultProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and handles the keys
    // biome-ignore lint/a11y/useFocusableInteractive: the field names the active option
    <div
      id={id}
      role="option"
      aria-selected={selected}
      // The field keeps the focus.
      onMouseDown={(event) => event.preventDefault()}
      onMouseMove={onHover}
      onClick={onChoose}
      className={classNames(
        "grid cursor-default gap-0.5 rounded-md px-3 py-2 text-sm pointer-coarse:py-3",
        selected && "bg-hover",
      )}
    >
      <span className="font-medium">{entry.title}</span>
      <span className="truncate text-ink-muted text-xs">{entry.page}</span>
    </div>
  );
}

function useFound(text: string): Found | undefined {
  const locale = useLocale();
  const [found, setFound] = useState<Found>();
  useEffect(() => {
    const wanted = text.trim();
    if (wanted === "") return setFound(undefined);
    let current = true;
    loadDocsIndex(locale).then(
      (find) => current && setFound({ text: wanted, entries: find(wanted, resultsMax) }),
      () => current && setFound({ text: wanted, entries: undefined }),
    );
    return () => {
      current = false;
    };
  }, [text, locale]);
  return found;
}
