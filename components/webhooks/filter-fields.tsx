import { useTranslations } from "next-intl";
import { NamePicker } from "#components/links/name-picker";
import type { NamedOption } from "#components/links/names.ts";
import {
  readFolders,
  readFoldersOf,
  readTags,
  readTagsOf,
} from "#components/links/tags-and-folders.ts";
import { useNamesOf } from "#components/links/use-names.ts";
import { Field } from "#components/ui/field";
import { Switch } from "#components/ui/switch";
import { ValueAdder, ValueChip, ValuesField } from "#components/ui/values-field";
import type { WebhookDraft } from "./webhook-draft.ts";

interface FilterFieldsProps {
  workspace: string;
  hosts: readonly string[];
  draft: WebhookDraft;
  change: (changes: Partial<WebhookDraft>) => void;
  errorOf: (name: string) => string | undefined;
}

/** Which links the events are about. */
export function FilterFields({ workspace, hosts, draft, change, errorOf }: FilterFieldsProps) {
  const t = useTranslations("webhooks");
  return (
    <div className="grid gap-4">
      <Field label={t("domains")} error={errorOf("domains")}>
        {(control) => (
          <ValuesField
            control={control}
            options={hosts.map((host) => ({ value: host, label: host }))}
            values={draft.domains}
            onValues={(domains) => change({ domains })}
            texts={{
              list: t("domains"),
              add: t("add"),
              search: t("search"),
              nothing: t("nothing"),
              remove: (name) => t("remove", { name }),
            }}
          />
        )}
      </Field>
      <NamesField
        label={t("folders")}
        ids={draft.folderIds}
        onIds={(folderIds) => change({ folderIds })}
        read={(search) => readFolders(workspace, search)}
        readOf={(ids) => readFoldersOf(workspace, ids)}
        error={errorOf("folderIds")}
      />
      <NamesField
        label={t("tags")}
        ids={draft.tagIds}
        onIds={(tagIds) => change({ tagIds })}
        read={(search) => readTags(workspace, search)}
        readOf={(ids) => readTagsOf(workspace, ids)}
        error={errorOf("tagIds")}
      />
      <Switch
        label={t("chosenLinks")}
        hint={t("chosenLinksHint")}
        checked={draft.chosenLinks}
        onCheckedChange={(chosenLinks) => change({ chosenLinks })}
      />
    </div>
  );
}

interface NamesFieldProps {
  label: string;
  ids: readonly string[];
  onIds: (ids: string[]) => void;
  read: (search: string) => Promise<NamedOption[]>;
  readOf: (ids: string[]) => Promise<NamedOption[]>;
  error: string | undefined;
}

/** Tags or folders. */
function NamesField({ label, ids, onIds, read, readOf, error }: NamesFieldProps) {
  const t = useTranslations("webhooks");
  const { nameOf, learn } = useNamesOf(ids, readOf);
  const without = (id: string) => ids.filter((one) => one !== id);
  return (
    <Field label={label} error={error}>
      {(control) => (
        <div className="flex min-h-9 flex-wrap items-center gap-1.5">
          {ids.map(nameOf).map(({ id, name, color = "gray" }) => (
            <ValueChip
              key={id}
              label={name}
              tone={color}
              remove={t("remove", { name })}
              onRemove={() => onIds(without(id))}
            />
          ))}
          <ValueAdder control={control} label={t("add")} list={label}>
            <NamePicker
              label={t("search")}
              read={read}
              markOf={(id) => (ids.includes(id) ? "all" : "none")}
              onPick={(named) => {
                learn(named);
                onIds(ids.includes(named.id) ? without(named.id) : [...ids, named.id]);
              }}
            />
          </ValueAdder>
        </div>
      )}
    </Field>
  );
}
