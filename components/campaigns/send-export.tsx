"use client";

import { Download } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "#components/ui/button";
import { Card } from "#components/ui/card";
import { formatNames } from "#components/ui/export-menu";
import { SelectField } from "#components/ui/labeled";
import type { MessageColumn } from "#lib/outreach/campaigns/schema";

interface SendExportProps {
  workspace: string;
  id: string;
  mayView: boolean;
}

/** The columns in the order that gateways expect in a file. Undefined: all columns. */
const presets: Readonly<Record<string, readonly MessageColumn[] | undefined>> = {
  all: undefined,
  text: ["phone", "text"],
  textFirst: ["text", "phone"],
  numbered: ["messageId", "phone", "text"],
  template: ["phone", "code"],
};
const presetNames = ["all", "text", "textFirst", "numbered", "template"] as const;
const formats = ["csv", "xlsx", "jsonl"] as const;

/** Exports the messages as a file, for people who send them with another system. */
export function SendExport({ workspace, id, mayView }: SendExportProps) {
  const t = useTranslations("sending");
  const [preset, setPreset] = useState("all");
  const [format, setFormat] = useState("csv");
  if (!mayView) {
    return <Card heading={t("export")} note={t("exportForbidden")} />;
  }
  const columns = presets[preset];
  const query = new URLSearchParams({
    workspace,
    format,
    ...(columns ? { columns: columns.join(",") } : {}),
  });
  return (
    <Card heading={t("export")} note={t("exportNote")}>
      <div className="grid items-end gap-4 sm:grid-cols-[2fr_1fr_auto]">
        <SelectField
          label={t("columns")}
          value={preset}
          onValueChange={setPreset}
          options={presetNames.map((name) => ({ value: name, label: t(`presets.${name}`) }))}
        />
        <SelectField
          label={t("format")}
          value={format}
          onValueChange={setFormat}
          options={formats.map((name) => ({ value: name, label: formatNames[name] }))}
        />
        <Button asChild className="h-9 pointer-coarse:h-11">
          <a href={`/api/campaigns/${encodeURIComponent(id)}/messages?${query}`} download>
            <Download aria-hidden />
            {t("exportMessages")}
          </a>
        </Button>
      </div>
    </Card>
  );
}
