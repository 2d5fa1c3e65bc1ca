"use client";

import { useTranslations } from "next-intl";
import type { UrlFilters } from "../shell/url-filters.tsx";
import { Checkbox } from "../ui/checkbox.tsx";
import { Field } from "../ui/field.tsx";
import { Select } from "../ui/select.tsx";
import { NameField } from "./name-field.tsx";
import { creatorOption, type NamedOption } from "./names.ts";
import { readFolders, readTags } from "./tags-and-folders.ts";

/** A select element has no empty value; this is not a valid host. */
const anyDomain = "*";
const anyClicked = "any";

interface FilterFieldsProps {
  params: URLSearchParams;
  set: UrlFilters["set"];
  workspace: string;
  hosts: readonly string[];
  tag: NamedOption | undefined;
  folder: NamedOption | undefined;
  members: readonly NamedOption[];
}

/** The filters of a list. */
export function FilterFields(props: FilterFieldsProps) {
  const { params, set, workspace, hosts, tag, folder, members } = props;
  const t = useTranslations("links");
  const domain = params.get("domain") ?? "";
  const archived = params.get("archived") === "true";
  return (
    <>
      <Field label={t("domain")}>
        {(control) => (
          <Select
            {...control}
            value={domain || anyDomain}
            onValueChange={(value) => set({ domain: value === anyDomain ? "" : value })}
            options={[
              { value: anyDomain, label: t("allDomains") },
              ...hosts.map((host) => ({ value: host, label: host })),
            ]}
          />
        )}
      </Field>
      <NameField
        label={t("tag")}
        any={t("anyTag")}
        chosen={tag}
        read={(search) => readTags(workspace, search)}
        onChoose={(id) => set({ tag: id })}
      />
      <NameField
        label={t("folder")}
        any={t("anyFolder")}
        chosen={folder}
        read={(search) => readFolders(workspace, search)}
        onChoose={(id) => set({ folder: id })}
      />
      <NameField
        label={t("creator")}
        any={t("anyCreator")}
        chosen={creatorOption(params.get("user"), members, t("unknownCreator"))}
        read={async (search) => membersLike(members, search)}
        onChoose={(id) => set({ user: id })}
      />
      <Field label={t("clicked")}>
        {(control) => (
          <Select
            {...control}
            value={params.get("clicked") ?? anyClicked}
            onValueChange={(value) => set({ clicked: value === anyClicked ? "" : value })}
            options={[
              { value: anyClicked, label: t("anyClicked") },
              { value: "true", label: t("withClicks") },
              { value: "false", label: t("withoutClicks") },
            ]}
          />
        )}
      </Field>
      <Checkbox
        label={t("showArchived")}
        checked={archived}
        onCheckedChange={(checked) => set({ archived: checked === true ? "true" : "" })}
      />
    </>
  );
}

/** As many as a person scans; a search finds the others. */
const membersShownMax = 50;

function membersLike(members: readonly NamedOption[], search: string): NamedOption[] {
  const like = search.toLowerCase();
  const found = members.filter(({ name }) => name.toLowerCase().includes(like));
  return found.slice(0, membersShownMax);
}
