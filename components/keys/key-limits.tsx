import { useTranslations } from "next-intl";
import { Checkbox } from "#components/ui/checkbox";
import type { ApiKey } from "#lib/identity/api-keys/schema";
import { InputField, TextareaField } from "../ui/labeled.tsx";

export interface KeyChoice {
  id: string;
  name: string;
}

export interface KeyChoices {
  domains: readonly KeyChoice[];
  folders: readonly KeyChoice[];
}

interface KeyLimitsProps {
  choices: KeyChoices;
  edited: ApiKey | undefined;
  errorOf: (name: string) => string | undefined;
  typed: (name: string, initial?: string) => string;
}

export function KeyLimits({ choices, edited, errorOf, typed }: KeyLimitsProps) {
  const t = useTranslations("apiKeys");
  const common = useTranslations("common");
  return (
    <>
      <TextareaField
        label={t("addresses")}
        hint={t("addressesHint")}
        error={errorOf("allowedAddresses")}
        optional={common("optional")}
        name="allowedAddresses"
        spellCheck={false}
        className="font-mono text-sm"
        defaultValue={typed("allowedAddresses", edited?.allowedAddresses.join("\n"))}
      />
      <LimitList
        name="domainIds"
        label={t("domains")}
        hint={t("domainsHint")}
        choices={withMissing(choices.domains, edited?.domainIds)}
        chosen={edited?.domainIds ?? []}
      />
      <LimitList
        name="folderIds"
        label={t("folders")}
        hint={t("foldersHint")}
        choices={withMissing(choices.folders, edited?.folderIds)}
        chosen={edited?.folderIds ?? []}
      />
      <InputField
        label={t("rate")}
        hint={t("rateHint")}
        error={errorOf("callsPerMinute")}
        optional={common("optional")}
        name="callsPerMinute"
        inputMode="numeric"
        autoComplete="off"
        defaultValue={typed("callsPerMinute", String(edited?.callsPerMinute ?? ""))}
      />
    </>
  );
}

/** Adds limits that cannot be chosen anymore, such as a deleted domain. Without them, saving could leave the key unlimited. */
function withMissing(choices: readonly KeyChoice[], ids: readonly string[] = []): KeyChoice[] {
  const missing = ids.filter((id) => !choices.some((one) => one.id === id));
  return [...choices, ...missing.map((id) => ({ id, name: id }))];
}

interface LimitListProps {
  name: string;
  label: string;
  hint: string;
  choices: readonly KeyChoice[];
  chosen: readonly string[];
}

function LimitList({ name, label, hint, choices, chosen }: LimitListProps) {
  if (choices.length === 0) return null;
  return (
    <fieldset className="grid min-w-0 gap-1.5">
      <legend className="mb-1.5 font-medium text-sm">{label}</legend>
      <div className="grid max-h-40 gap-2 overflow-y-auto rounded-lg border border-line p-2.5">
        {choices.map((choice) => (
          <Checkbox
            key={choice.id}
            name={name}
            value={choice.id}
            label={choice.name}
            defaultChecked={chosen.includes(choice.id)}
          />
        ))}
      </div>
      <p className="text-ink-muted text-sm">{hint}</p>
    </fieldset>
  );
}
