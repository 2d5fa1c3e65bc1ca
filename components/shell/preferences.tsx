"use client";

import { Languages, Monitor, Moon, Sun } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { startTransition, useOptimistic } from "react";
import { Button } from "#components/ui/button";
import {
  Menu,
  MenuContent,
  MenuLabel,
  MenuRadioGroup,
  MenuRadioItem,
  MenuSeparator,
  MenuTrigger,
} from "#components/ui/menu";
import { type Locale, locales } from "#lib/platform/messages/schema";
import { applyTheme, type Theme, themes } from "./theme.ts";

export interface Preferences {
  theme: Theme;
  chooseTheme: (theme: Theme) => Promise<void>;
  chooseLocale: (locale: Locale) => Promise<void>;
}

const icons = { system: Monitor, light: Sun, dark: Moon };

export function PreferenceItems({ theme, chooseTheme, chooseLocale }: Preferences) {
  const themeNames = useTranslations("themes");
  const languages = useTranslations("languages");
  const locale = useLocale();
  const [shown, setShown] = useOptimistic(theme);
  return (
    <>
      <MenuLabel id="theme-choices">{themeNames("label")}</MenuLabel>
      <MenuRadioGroup aria-labelledby="theme-choices" value={shown}>
        {themes.map((name) => {
          const Icon = icons[name];
          return (
            <MenuRadioItem
              key={name}
              value={name}
              onSelect={() => {
                applyTheme(name);
                startTransition(async () => {
                  setShown(name);
                  await chooseTheme(name);
                });
              }}
            >
              <Icon aria-hidden />
              {themeNames(name)}
            </MenuRadioItem>
          );
        })}
      </MenuRadioGroup>
      <MenuSeparator />
      <MenuLabel id="language-choices">{languages("label")}</MenuLabel>
      <MenuRadioGroup aria-labelledby="language-choices" value={locale}>
        {locales.map((name) => (
          <MenuRadioItem
            key={name}
            value={name}
            lang={name}
            onSelect={() => startTransition(() => chooseLocale(name))}
          >
            {languages(name)}
          </MenuRadioItem>
        ))}
      </MenuRadioGroup>
    </>
  );
}

export function PreferencesMenu(preferences: Preferences) {
  const themeNames = useTranslations("themes");
  const languages = useTranslations("languages");
  return (
    <Menu>
      <MenuTrigger asChild>
        <Button
          variant="ghost"
          size="icon"
          aria-label={`${themeNames("label")}, ${languages("label")}`}
        >
          <Languages aria-hidden />
        </Button>
      </MenuTrigger>
      <MenuContent align="end">
        <PreferenceItems {...preferences} />
      </MenuContent>
    </Menu>
  );
}
