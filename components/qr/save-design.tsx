"use client";

import { RotateCcw, Save } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "#components/ui/button";
import { toast } from "#components/ui/toast";
import type { QrDesign } from "#lib/links/qr-design/schema";
import { saveDesign } from "./qr-calls.ts";

interface SaveDesignProps {
  workspace: string;
  linkId: string;
  design: QrDesign;
  saved: QrDesign | null;
  /** The design cannot be drawn or scanned. */
  disabled: boolean;
  onSaved: () => void;
  onReset: () => void;
}

/** Saves the design with its link, or resets the link to the default of the workspace. */
export function SaveDesign(props: SaveDesignProps) {
  const { workspace, linkId, design, saved, disabled, onSaved, onReset } = props;
  const t = useTranslations("qr");
  // The page is shown again when another one leads back to it.
  const { refresh } = useRouter();
  const [pending, setPending] = useState<"save" | "reset">();

  async function save() {
    setPending("save");
    try {
      await saveDesign(workspace, linkId, design);
      onSaved();
      refresh();
      toast.success(t("designSaved"));
    } catch {
      toast.error(t("designNotSaved"));
    } finally {
      setPending(undefined);
    }
  }

  async function reset() {
    setPending("reset");
    try {
      await saveDesign(workspace, linkId, null);
      onReset();
      refresh();
      toast.success(t("designReset"));
    } catch {
      toast.error(t("designNotReset"));
    } finally {
      setPending(undefined);
    }
  }

  return (
    <div className="flex gap-2">
      <Button
        variant="solid"
        className="flex-1"
        pending={pending === "save"}
        disabled={design === saved || disabled}
        onClick={() => void save()}
      >
        <Save aria-hidden />
        {t("saveDesign")}
      </Button>
      {saved ? (
        <Button pending={pending === "reset"} onClick={() => void reset()}>
          <RotateCcw aria-hidden />
          {t("resetDesign")}
        </Button>
      ) : null}
    </div>
  );
}
