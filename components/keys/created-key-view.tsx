"use client";

import { useTranslations } from "next-intl";
import { Button } from "#components/ui/button";
import { CopyButton } from "#components/ui/copy-button";
import { CopyField } from "#components/ui/copy-field";
import { DialogActions, DialogClose } from "#components/ui/dialog";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "#components/ui/tabs";

/** A complete key. Only creating or rotating a key returns it. */
export interface CreatedKey {
  key: string;
  name: string;
  mayCreate: boolean;
  pending: boolean;
}

/** The whole key is only shown here, with a first request and configurations that can be pasted as they are. */
export function CreatedKeyView({ created }: { created: CreatedKey }) {
  const t = useTranslations("apiKeys");
  return (
    <div className="grid min-w-0 gap-4">
      {created.pending ? (
        <p className="rounded-lg bg-sunken p-3 text-sm">{t("pendingText")}</p>
      ) : null}
      <CopyField
        label={t("key", { name: created.name })}
        text={created.key}
        copy={t("copy")}
        className="font-mono text-sm"
      />
      <KeyUses created={created} />
      <DialogActions>
        <Button asChild>
          <a href="/docs/api" target="_blank" rel="noreferrer">
            {t("reference")}
          </a>
        </Button>
        <DialogClose asChild>
          <Button variant="solid">{t("done")}</Button>
        </DialogClose>
      </DialogActions>
    </div>
  );
}

interface KeyUse {
  name: "request" | "http" | "stdio";
  note: string;
  copy: string;
  text: string;
}

function KeyUses({ created }: { created: CreatedKey }) {
  const t = useTranslations("apiKeys");
  const { origin } = window.location;
  const copy = t("copyConfiguration");
  const uses: readonly KeyUse[] = [
    {
      name: "request",
      note: t(created.mayCreate ? "tryCreate" : "tryRead"),
      copy: t("copyRequest"),
      text: firstRequest(created, origin),
    },
    { name: "http", note: t("httpText"), copy, text: httpConfiguration(created.key, origin) },
    { name: "stdio", note: t("stdioText"), copy, text: stdioConfiguration(created.key, origin) },
  ];
  return (
    <Tabs defaultValue="request" className="grid min-w-0 gap-3">
      <TabsList aria-label={t("useIn")} className="justify-self-start">
        {uses.map(({ name }) => (
          <TabsTrigger key={name} value={name}>
            {t(`uses.${name}`)}
          </TabsTrigger>
        ))}
      </TabsList>
      {uses.map((use) => (
        <TabsContent key={use.name} value={use.name} className="grid min-w-0 gap-1.5">
          <div className="flex items-center justify-between gap-2">
            <p className="text-sm">{use.note}</p>
            <CopyButton text={use.text} label={use.copy} className="shrink-0">
              {use.copy}
            </CopyButton>
          </div>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: wider than a phone, and scrolled with the keyboard */}
          <pre tabIndex={0} className="overflow-x-auto rounded-lg bg-sunken p-3 font-mono text-xs">
            {use.text}
          </pre>
        </TabsContent>
      ))}
    </Tabs>
  );
}

function firstRequest({ key, mayCreate }: CreatedKey, origin: string): string {
  const call = `"${origin}/api/links" \\\n  -H "Authorization: Bearer ${key}"`;
  if (!mayCreate) return `curl ${call}`;
  const body = JSON.stringify({ url: "https://example.com" });
  return `curl -X POST ${call} \\\n  -H "Content-Type: application/json" \\\n  -d '${body}'`;
}

/** In the format of Cursor and most assistants. */
function configurationOf(server: object): string {
  return JSON.stringify({ mcpServers: { fuxi: server } }, undefined, 2);
}

function httpConfiguration(key: string, origin: string): string {
  return configurationOf({
    url: `${origin}/api/mcp`,
    headers: { Authorization: `Bearer ${key}` },
  });
}

function stdioConfiguration(key: string, origin: string): string {
  return configurationOf({
    command: "npx",
    args: ["-y", `${origin}/cli.tgz`, "mcp"],
    env: { FUXI_API_KEY: key },
  });
}
