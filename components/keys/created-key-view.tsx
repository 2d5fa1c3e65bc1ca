"use client";

import { useTranslations } from "next-intl";
import { Button } from "../ui/button.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { CopyField } from "../ui/copy-field.tsx";
import { DialogActions, DialogClose } from "../ui/dialog.tsx";

/** A complete key; only the result of its creation or rotation contains it. */
export interface CreatedKey {
  key: string;
  name: string;
  /** It may create links. */
  mayCreate: boolean;
  /** It waits for an administrator of the instance. */
  pending: boolean;
}

/** The only time that the whole key is shown, with a first request that works as it stands. */
export function CreatedKeyView({ created }: { created: CreatedKey }) {
  const t = useTranslations("apiKeys");
  const request = firstRequest(created, window.location.origin);
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
      <div className="grid min-w-0 gap-1.5">
        <div className="flex items-center justify-between gap-2">
          <h3 className="font-medium text-sm">{t(created.mayCreate ? "tryCreate" : "tryRead")}</h3>
          <CopyButton text={request} label={t("copyRequest")}>
            {t("copyRequest")}
          </CopyButton>
        </div>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: wider than a phone, and scrolled with the keyboard */}
        <pre tabIndex={0} className="overflow-x-auto rounded-lg bg-sunken p-3 font-mono text-xs">
          {request}
        </pre>
      </div>
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

function firstRequest({ key, mayCreate }: CreatedKey, origin: string): string {
  const call = `"${origin}/api/links" \\\n  -H "Authorization: Bearer ${key}"`;
  if (!mayCreate) return `curl ${call}`;
  const body = JSON.stringify({ url: "https://example.com" });
  return `curl -X POST ${call} \\\n  -H "Content-Type: application/json" \\\n  -d '${body}'`;
}
