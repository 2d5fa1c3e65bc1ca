"use client";

import { Check, ChevronLeft, ListFilter } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { Button } from "#components/ui/button";
import {
  Command,
  CommandEmpty,
  CommandInput,
  CommandItem,
  CommandList,
} from "#components/ui/command";
import { Popover, PopoverContent, PopoverTrigger } from "#components/ui/popover";
import { searchCharsMax } from "#lib/analytics/reports/schema";
import { useBoard } from "./board-state.tsx";
import type { FilterChoice } from "./groupings.ts";
import { readRows, type ValueCount } from "./read-answer.ts";
import { useAnswer, useSource } from "./source.tsx";
import { ValueIcon } from "./value-icon.tsx";
import { useValueNames } from "./value-names.ts";

/** Adds a filter. The user chooses what to filter by, then picks a value from the report or types one. */
export function FilterPicker({ choices }: { choices: readonly FilterChoice[] }) {
  const t = useTranslations("analytics");
  const [open, setOpen] = useState(false);
  const [choice, setChoice] = useState<FilterChoice>();
  return (
    <Popover
      open={open}
      onOpenChange={(next) => {
        setOpen(next);
        setChoice(undefined);
      }}
    >
      <PopoverTrigger asChild>
        <Button size="sm" className="w-fit">
          <ListFilter aria-hidden />
          {t("addFilter")}
        </Button>
      </PopoverTrigger>
      <PopoverContent aria-label={t("addFilter")} align="start" className="p-0">
        {choice ? (
          <Values
            choice={choice}
            onBack={() => setChoice(undefined)}
            onChosen={() => setOpen(false)}
          />
        ) : (
          <Dimensions choices={choices} onChoose={setChoice} />
        )}
      </PopoverContent>
    </Popover>
  );
}

interface DimensionsProps {
  choices: readonly FilterChoice[];
  onChoose: (choice: FilterChoice) => void;
}

function Dimensions({ choices, onChoose }: DimensionsProps) {
  const t = useTranslations("analytics");
  return (
    <Command label={t("filterDimension")}>
      <CommandInput placeholder={t("filterDimension")} />
      <CommandList label={t("filterDimension")}>
        <CommandEmpty>{t("filterNoDimension")}</CommandEmpty>
        {choices.map((choice) => (
          <CommandItem key={choice.filter} onSelect={() => onChoose(choice)}>
            {t(`filterNames.${choice.filter}`)}
          </CommandItem>
        ))}
      </CommandList>
    </Command>
  );
}

const typingMs = 300;

/** The top values, ignoring the filter of the same kind. If there are many values, those that match the typed text. */
function useSuggestions({ filter, groupBy, field, isSearched, more }: FilterChoice, text: string) {
  const { valuesQuery } = useBoard();
  const { workspace } = useSource();
  const [typed, setTyped] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setTyped(text.trim()), typingMs);
    return () => clearTimeout(timer);
  }, [text]);
  // A share cannot search links, because it does not show their titles.
  const searches = isSearched && !(workspace === undefined && groupBy === "top_links");
  const search = searches && typed !== "" ? { search: typed } : {};
  const answer = useAnswer(valuesQuery(filter, groupBy, { ...more, ...search }));
  return { rows: readRows(answer.data, field), state: answer.state };
}

interface ValuesProps {
  choice: FilterChoice;
  onBack: () => void;
  onChosen: () => void;
}

function Values({ choice, onBack, onChosen }: ValuesProps) {
  const t = useTranslations("analytics");
  const { toggle, isChosen } = useBoard();
  const nameOf = useValueNames();
  const [text, setText] = useState("");
  const { rows, state } = useSuggestions(choice, text);
  const { filter, isObject, spell } = choice;
  const kind = t(`filterNames.${filter}`);
  const typed = spell(text.trim());
  const nameOfRow = (row: ValueCount) => nameOf(filter, row.value, row.name);
  const wanted = text.trim().toLowerCase();
  const found = rows.filter(
    (row) =>
      row.value !== "" &&
      `${nameOfRow(row)} ${row.value} ${row.title}`.toLowerCase().includes(wanted),
  );
  const isNew = !isObject && typed !== "" && found.every(({ value }) => value !== typed);
  const isLoading = state === "loading" || state === "stale";
  return (
    <Command label={kind} shouldFilter={false}>
      <div className="flex items-center border-line border-b px-1.5 py-1">
        <Button variant="ghost" size="sm" onClick={onBack}>
          <ChevronLeft aria-hidden />
          {kind}
        </Button>
      </div>
      <CommandInput
        autoFocus
        maxLength={searchCharsMax}
        placeholder={t(isObject ? "filterSearch" : "filterType")}
        value={text}
        onValueChange={setText}
      />
      <CommandList label={kind}>
        <CommandEmpty>{t(isLoading ? "filterLoading" : "nothing")}</CommandEmpty>
        {found.map((row) => (
          <Suggestion
            key={`${row.value} ${row.country} ${row.also.join()}`}
            choice={choice}
            row={row}
            name={nameOfRow(row)}
            isChosen={isChosen(filter, row.value)}
            onSelect={() => {
              toggle(filter, row.value, row.also);
              onChosen();
            }}
          />
        ))}
        {isNew ? (
          <CommandItem
            value="typed value"
            onSelect={() => {
              toggle(filter, typed);
              onChosen();
            }}
          >
            {t("is", { kind, values: typed })}
          </CommandItem>
        ) : null}
      </CommandList>
    </Command>
  );
}

interface SuggestionProps {
  choice: FilterChoice;
  row: ValueCount;
  name: string;
  isChosen: boolean;
  onSelect: () => void;
}

function Suggestion({ choice, row, name, isChosen, onSelect }: SuggestionProps) {
  const format = useFormatter();
  const { filter } = choice;
  return (
    <CommandItem value={`${row.value} ${row.country} ${row.also.join()}`} onSelect={onSelect}>
      <ValueIcon
        filter={filter}
        value={row.value}
        {...(row.country ? { country: row.country } : {})}
      />
      <span className="min-w-0 truncate">{name}</span>
      {isChosen ? <Check aria-hidden className="!text-accent" /> : null}
      {filter === "eventName" ? null : (
        <span className="ml-auto text-ink-muted text-xs tabular-nums">
          {format.number(row.clicks)}
        </span>
      )}
    </CommandItem>
  );
}
