"use client";

import { Download, Upload } from "lucide-react";
import { useRouter } from "next/navigation";
import { useFormatter, useTranslations } from "next-intl";
import { useId, useRef, useState } from "react";
import { type FileUpload, UploadFailed } from "#components/forms/send-file.ts";
import { useFileDrop } from "#components/forms/use-file-drop.ts";
import { Button } from "#components/ui/button";
import { classNames } from "#components/ui/class-names.ts";
import { FormError } from "#components/ui/form-error";
import { Progress } from "#components/ui/progress";
import type { Import } from "#lib/transfer/imports/schema";
import { sendImport } from "./import-calls.ts";
import { useProblemMessages } from "./problem-messages.ts";

/** A file with the usual columns. The byte order mark makes Excel read it as UTF-8. */
const sampleUrl = `data:text/csv;charset=utf-8,${encodeURIComponent(
  [
    "\u{feff}Destination,Slug,Title,Tags,Folder,Expiration",
    'https://example.com/spring,spring-sale,Spring sale,"newsletter, spring",Campaigns,2030-12-31',
    "https://example.com/shop,,Shop,print,,",
  ].join("\r\n"),
)}`;

export function UploadBox({ workspace }: { workspace: string }) {
  const t = useTranslations("imports");
  const hint = useId();
  const { sent, error, send, abort } = useUpload(workspace);
  const { area, field, isOver, choose } = useFileDrop({
    disabled: sent !== undefined,
    more: ".json,.jsonl,.ndjson,.sql",
    onFile: send,
  });
  return (
    <section
      aria-label={t("upload")}
      {...area}
      className={classNames(
        "grid justify-items-center gap-3 rounded-xl border border-line border-dashed bg-surface px-6 py-10 text-center",
        isOver && "border-accent bg-hover",
      )}
    >
      <div className="grid size-10 place-items-center rounded-lg border border-line bg-surface text-ink-muted shadow-raised [&_svg]:size-5">
        <Upload aria-hidden />
      </div>
      {sent === undefined ? (
        <>
          <p className="font-semibold text-base">{t("dropHere")}</p>
          <p id={hint} className="max-w-md text-balance text-ink-muted text-sm">
            {t("uploadHint")} {t("emptyText")}
          </p>
          <input {...field} aria-label={t("file")} aria-describedby={hint} />
          <div className="flex flex-wrap justify-center gap-2">
            <Button variant="solid" onClick={choose}>
              {t("choose")}
            </Button>
            <Button asChild variant="ghost">
              <a href={sampleUrl} download="fuxi-import-sample.csv">
                <Download aria-hidden />
                {t("sample")}
              </a>
            </Button>
          </div>
        </>
      ) : (
        <div className="grid w-full max-w-sm gap-3">
          <UploadProgress share={sent} />
          <Button className="justify-self-center" onClick={abort}>
            {t("stop")}
          </Button>
        </div>
      )}
      <div className="text-start">
        <FormError>{error}</FormError>
      </div>
    </section>
  );
}

function UploadProgress({ share }: { share: number }) {
  const t = useTranslations("imports");
  const format = useFormatter();
  const whole = share >= 1;
  const percent = format.number(share, { style: "percent", maximumFractionDigits: 0 });
  return (
    <Progress
      label={whole ? t("reading") : t("sending", { percent })}
      share={whole ? undefined : share}
    />
  );
}

function useUpload(workspace: string) {
  const t = useTranslations("imports");
  const router = useRouter();
  const { sayError } = useProblemMessages();
  const sending = useRef<FileUpload<Import>>(undefined);
  const [sent, setSent] = useState<number>();
  const [error, setError] = useState<string>();

  function send(file: File) {
    setError(undefined);
    setSent(0);
    sending.current = sendImport(workspace, file, setSent);
    sending.current.answer.then(
      ({ id }) => router.push(`/app/${workspace}/imports/${id}`),
      (refused: Error) => {
        setSent(undefined);
        setError(refused instanceof UploadFailed ? t("notSent") : sayError(refused));
      },
    );
  }

  function abort() {
    sending.current?.abort();
  }
  return { sent, error, send, abort };
}
