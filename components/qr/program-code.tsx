"use client";

import { Download } from "lucide-react";
import { useTranslations } from "next-intl";
import { useTransition } from "react";
import { Button } from "#components/ui/button";
import { Card } from "#components/ui/card";
import { toast } from "#components/ui/toast";
import { ApiError, readProgramCode, saveFile } from "./qr-calls.ts";

interface ProgramCodeProps {
  workspace: string;
  linkId: string;
  name: string;
}

const reasons = ["scene", "no_account", "page"] as const;

export function ProgramCode({ workspace, linkId, name }: ProgramCodeProps) {
  const t = useTranslations("qr.program");
  const [pending, start] = useTransition();
  const download = () =>
    start(async () => {
      try {
        const file = await readProgramCode(workspace, linkId);
        saveFile(file, `${name}-wechat.${file.type === "image/png" ? "png" : "jpg"}`);
      } catch (error) {
        const problem = error instanceof ApiError ? error.problem?.code : undefined;
        const reason = reasons.find((one) => problem === `wechat_${one}`);
        toast.error(t(`problems.${reason ?? "refused"}`));
      }
    });
  return (
    <Card heading={t("heading")} note={t("note")}>
      <Button pending={pending} onClick={download}>
        <Download aria-hidden />
        {t("download")}
      </Button>
    </Card>
  );
}
