"use client";

import { useTranslations } from "next-intl";
import { utmNames, utmOf, withParameters } from "#lib/links/utm/schema";
import { InputField } from "../ui/labeled.tsx";
import { CollapsiblePart, type PartProps } from "./form-fields.tsx";
import { UtmBar } from "./utm-bar.tsx";

interface UtmPartProps extends PartProps {
  workspace: string;
  isNew: boolean;
}

/** UTM parameters. They exist only in the URL: the fields and the URL update each other. */
export function UtmPart({ workspace, isNew, draft, change, errorOf }: UtmPartProps) {
  const t = useTranslations("linkForm.utm");
  const utm = utmOf(draft.url);
  return (
    <CollapsiblePart
      part="utm"
      draft={draft}
      change={change}
      capability={isNew ? undefined : "destinationEdits"}
      label={t("label")}
      hint={t("hint")}
    >
      <UtmBar workspace={workspace} url={draft.url} onUrl={(url) => change({ url })} />
      <div className="grid gap-3 sm:grid-cols-2">
        {utmNames.map((name) => (
          <InputField
            key={name}
            label={t(name)}
            error={errorOf(name)}
            autoComplete="off"
            disabled={draft.url.trim() === ""}
            placeholder={t(`${name}_example`)}
            value={utm[name] ?? ""}
            onChange={({ target }) =>
              change({ url: withParameters(draft.url, { [name]: target.value }, "drop") })
            }
          />
        ))}
      </div>
    </CollapsiblePart>
  );
}
