"use client";

import { useTranslations } from "next-intl";
import { CopyButton } from "#components/ui/copy-button";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "#components/ui/tabs";

const languages = ["curl", "typescript", "python", "php", "go"] as const;

type Language = (typeof languages)[number];

export function Samples(samples: Partial<Record<Language, string>>) {
  const t = useTranslations("reference");
  const shown = languages.flatMap((language) => {
    const text = samples[language];
    return text === undefined ? [] : [{ language, text }];
  });
  return (
    <Tabs defaultValue="curl" className="min-w-0">
      <div className="flex items-center justify-between gap-2">
        <TabsList aria-label={t("samples")}>
          {shown.map(({ language }) => (
            <TabsTrigger key={language} value={language}>
              {t(language)}
            </TabsTrigger>
          ))}
        </TabsList>
      </div>
      {shown.map(({ language, text }) => (
        <TabsContent key={language} value={language} className="relative mt-2">
          <CodeBlock text={text} label={t(language)} />
          <div className="absolute top-1 right-1 rounded-md bg-sunken">
            <CopyButton text={text} label={t("copySample")} />
          </div>
        </TabsContent>
      ))}
    </Tabs>
  );
}

/** Code that may be wider than its container. It scrolls, by keyboard too. */
export function CodeBlock({ text, label }: { text: string; label: string }) {
  return (
    <figure
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard
      tabIndex={0}
      className="max-h-96 overflow-auto rounded-lg border border-line bg-sunken p-3 pr-12"
    >
      <pre className="text-sm leading-6">
        <code>{text}</code>
      </pre>
    </figure>
  );
}
