"use client";

import { useLocale, useTranslations } from "next-intl";
import { useState } from "react";
import type { UrlFilters } from "#components/shell/url-filters";
import { Button } from "#components/ui/button";
import { Checkbox } from "#components/ui/checkbox";
import { SelectField } from "#components/ui/labeled";
import { RangeCalendar } from "#components/ui/range-calendar";
import { hourMs } from "#lib/basics/time/schema";
import { linkFeatures, linkStatuses, noFolder } from "#lib/links/reading/schema";
import { NameField } from "./name-field.tsx";
import { NamePicker } from "./name-picker.tsx";
import { creatorOption, type FilterNames, type NamedOption, namesIn } from "./names.ts";
import { PickerField } from "./picker-field.tsx";
import { readFolders, readTags } from "./tags-and-folders.ts";

/** A select element cannot have an empty value. This one is not a valid host. */
const anyDomain = "*";
const anyClicked = "any";

interface FilterFieldsProps {
  params: URLSearchParams;
  set: UrlFilters["set"];
  workspace: string;
  hosts: readonly string[];
  named: FilterNames;
  checks: boolean;
}

export function FilterFields(props: FilterFieldsProps) {
  const { params, set, workspace, hosts, named, checks } = props;
  const { folder, members, keys } = named;
  const t = useTranslations("linkFilters");
  const domain = params.get("domain") ?? "";
  const archived = params.get("archived") === "true";
  const without = { id: noFolder, name: t("noFolder") };
  return (
    <>
      <StateFields params={params} set={set} checks={checks} />
      <SelectField
        label={t("domain")}
        value={domain || anyDomain}
        onValueChange={(value) => set({ domain: value === anyDomain ? "" : value })}
        options={[
          { value: anyDomain, label: t("allDomains") },
          ...hosts.map((host) => ({ value: host, label: host })),
        ]}
      />
      <TagsFilter
        workspace={workspace}
        ids={namesIn(params.get("tag"))}
        known={named.tags}
        onIds={(ids) => set({ tag: ids.join(",") })}
      />
      <NameField
        label={t("folder")}
        any={t("anyFolder")}
        chosen={params.get("folder") === noFolder ? without : folder}
        read={async (search) => [
          ...(search === "" ? [without] : []),
          ...(await readFolders(workspace, search)),
        ]}
        onChoose={(id) => set({ folder: id })}
      />
      <CreatedField params={params} set={set} />
      <NameField
        label={t("creator")}
        any={t("anyCreator")}
        chosen={creatorOption(params.get("user"), members, t("unknownCreator"))}
        read={async (search) => membersLike(members, search)}
        onChoose={(id) => set({ user: id })}
      />
      {keys.length > 0 ? (
        <OptionField
          label={t("apiKey")}
          any={t("anyKey")}
          value={params.get("key")}
          options={keys.map(({ id, name }) => ({ value: id, label: name }))}
          onChoose={(key) => set({ key })}
        />
      ) : null}
      <SelectField
        label={t("clicked")}
        value={params.get("clicked") ?? anyClicked}
        onValueChange={(value) => set({ clicked: value === anyClicked ? "" : value })}
        options={[
          { value: anyClicked, label: t("anyClicked") },
          { value: "true", label: t("withClicks") },
          { value: "false", label: t("withoutClicks") },
        ]}
      />
      <Checkbox
        label={t("showArchived")}
        checked={archived}
        onCheckedChange={(checked) => set({ archived: checked === true ? "true" : "" })}
      />
    </>
  );
}

/** Filters by whether visits reach the destination, and by what they go through first. */
function StateFields({
  params,
  set,
  checks,
}: Pick<FilterFieldsProps, "params" | "set" | "checks">) {
  const t = useTranslations("linkFilters");
  const states = useTranslations("links.states");
  return (
    <div className="grid grid-cols-2 gap-3">
      <OptionField
        label={t("status")}
        any={t("anyStatus")}
        value={params.get("status")}
        options={linkStatuses
          .filter((name) => name !== "broken" || checks)
          .map((name) => ({ value: name, label: t(`statuses.${name}`) }))}
        onChoose={(status) => set({ status })}
      />
      <OptionField
        label={t("feature")}
        any={t("anyFeature")}
        value={params.get("feature")}
        options={linkFeatures.map((name) => ({ value: name, label: states(name) }))}
        onChoose={(feature) => set({ feature })}
      />
    </div>
  );
}

const anyOption = "any";

interface OptionFieldProps {
  label: string;
  any: string;
  value: string | null;
  options: readonly { value: string; label: string }[];
  onChoose: (value: string) => void;
}

function OptionField({ label, any, value, options, onChoose }: OptionFieldProps) {
  return (
    <SelectField
      label={label}
      value={value || anyOption}
      onValueChange={(chosen) => onChoose(chosen === anyOption ? "" : chosen)}
      options={[{ value: anyOption, label: any }, ...options]}
    />
  );
}

/** Filters by the day of creation, both days included. A URL may have only one of them. */
function CreatedField({ params, set }: Pick<FilterFieldsProps, "params" | "set">) {
  const t = useTranslations("linkFilters");
  const [open, setOpen] = useState(false);
  const [from, to] = [params.get("from") ?? "", params.get("to") ?? ""];
  const text = useDaysText(from, to);
  // In the earliest time zone on earth, so that today can be chosen everywhere.
  const today = new Date(Date.now() + 14 * hourMs).toISOString().slice(0, 10);
  const choose = (range: { from: string; to: string }) => {
    set(range);
    setOpen(false);
  };
  return (
    <PickerField label={t("created")} text={text} open={open} onOpenChange={setOpen}>
      <div className="grid gap-3 p-3">
        <RangeCalendar
          value={from && to ? { start: from, end: to } : undefined}
          min={undefined}
          max={today}
          onChange={({ start, end }) => choose({ from: start, to: end })}
        />
        {from || to ? (
          <Button size="sm" variant="ghost" onClick={() => choose({ from: "", to: "" })}>
            {t("anyTime")}
          </Button>
        ) : null}
      </div>
    </PickerField>
  );
}

function useDaysText(from: string, to: string): string {
  const t = useTranslations("linkFilters");
  const locale = useLocale();
  const format = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone: "UTC" });
  const at = (day: string) => new Date(`${day}T00:00:00Z`);
  if (from && to) return format.formatRange(at(from), at(to));
  if (from) return t("since", { day: format.format(at(from)) });
  return to ? t("until", { day: format.format(at(to)) }) : t("anyTime");
}

/** As many as a person can scan. A search finds the rest. */
const membersShownMax = 50;

function membersLike(members: readonly NamedOption[], search: string): NamedOption[] {
  const like = search.toLowerCase();
  const found = members.filter(({ name }) => name.toLowerCase().includes(like));
  return found.slice(0, membersShownMax);
}

interface TagsFilterProps {
  workspace: string;
  ids: readonly string[];
  known: readonly NamedOption[];
  onIds: (ids: string[]) => void;
}

/** Filters by tags. A link needs only one of them to match. The list stays open while people choose. */
function TagsFilter({ workspace, ids, known, onIds }: TagsFilterProps) {
  const t = useTranslations("linkFilters");
  const locale = useLocale();
  const [open, setOpen] = useState(false);
  // Tags that were just chosen. Their names arrive with the next page.
  const [picked, setPicked] = useState<readonly NamedOption[]>([]);
  const nameOf = (id: string) =>
    [...known, ...picked].find((one) => one.id === id)?.name ?? t("unknownTag");
  const names = new Intl.ListFormat(locale, { type: "disjunction" }).format(ids.map(nameOf));
  const isOn = (id: string) => ids.includes(id);
  return (
    <PickerField
      label={t("tag")}
      text={ids.length > 0 ? names : t("anyTag")}
      open={open}
      onOpenChange={setOpen}
    >
      <NamePicker
        label={t("tag")}
        read={(search) => readTags(workspace, search)}
        first={{ id: anyTag, name: t("anyTag") }}
        markOf={(id) => ((id === anyTag ? ids.length === 0 : isOn(id)) ? "all" : "none")}
        onPick={(named) => {
          if (named.id === anyTag) return onIds([]);
          setPicked([...picked, named]);
          onIds(isOn(named.id) ? ids.filter((id) => id !== named.id) : [...ids, named.id]);
        }}
      />
    </PickerField>
  );
}

const anyTag = "any";
