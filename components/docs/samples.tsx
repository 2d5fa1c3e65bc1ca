"use client";

import { useTranslations } from "next-intl";
import { CopyButton } from "#components/ui/copy-button";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "#components/ui/tabs";

const kinds = ["curl", "typescript"] as const;

export function Samples(samples: { curl: string; typescript: string }) {
  const t = useTranslations("reference");
  return (
    <Tabs defaultValue="curl" className="min-w-0">
      <div className="flex items-center justify-between gap-2">
        <TabsList aria-label={t("samples")}>
          {kinds.map((kind) => (
            <TabsTrigger key={kind} value={kind}>
              {t(kind)}
            </TabsTrigger>
          ))}
        </TabsList>
      </div>
      {kinds.map((kind) => (
        <TabsContent key={kind} value={kind} className="relative mt-2">
          <CodeBlock text={samples[kind]} label={t(kind)} />
          <div className="absolute top-1 right-1 rounded-md bg-sunken">
            <CopyButton text={samples[kind]} label={t("copySample")} />
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
