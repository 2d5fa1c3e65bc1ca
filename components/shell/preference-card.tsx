"use client";

import { useLocale, useTranslations } from "next-intl";
import { startTransition } from "react";
import { Card } from "#components/ui/card";
import { SelectField } from "#components/ui/labeled";
import { locales } from "#lib/platform/messages/schema";
import type { Preferences } from "./preferences.tsx";
import { applyTheme, themes } from "./theme.ts";

/** The choices of the account menu as fields of a page. */
export function PreferenceCard({ theme, chooseTheme, chooseLocale }: Preferences) {
  const t = useTranslations("security");
  const themeNames = useTranslations("themes");
  const languages = useTranslations("languages");
  return (
    <Card heading={t("preferences")}>
      <SelectField
        label={languages("label")}
        value={useLocale()}
        options={locales.map((name) => ({ value: name, label: languages(name) }))}
        onValueChange={(name) => {
          const chosen = locales.find((one) => one === name);
          if (chosen) startTransition(() => chooseLocale(chosen));
        }}
      />
      <SelectField
        label={themeNames("label")}
        defaultValue={theme}
        options={themes.map((name) => ({ value: name, label: themeNames(name) }))}
        onValueChange={(name) => {
          const chosen = themes.find((one) => one === name);
          if (!chosen) return;
          applyTheme(chosen);
          startTransition(() => chooseTheme(chosen));
        }}
      />
    </Card>
  );
}
