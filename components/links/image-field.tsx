"use client";

import { ImagePlus, X } from "lucide-react";
import { useTranslations } from "next-intl";
import { useRef, useState } from "react";
import { ApiError, callApi } from "#components/forms/call-api.ts";
import { Button } from "#components/ui/button";
import { newSocialImage, socialImageShape, uploadBytesMax } from "#lib/links/social-images/schema";
import { type PartProps, TextField } from "./form-fields.tsx";

type Problem = "refused" | "full" | "often" | "failed";

export function ImageField({ workspace, ...part }: PartProps & { workspace: string }) {
  const { draft, change } = part;
  const t = useTranslations("linkForm.card");
  const [problem, setProblem] = useState<Problem>();
  const [pending, setPending] = useState(false);
  const file = useRef<HTMLInputElement>(null);

  async function upload(picked: File) {
    setProblem(undefined);
    setPending(true);
    try {
      const body = newSocialImage.safeParse({ image: await base64Of(await fitImage(picked)) });
      if (body.success) {
        const request = { workspace, path: "/social-images", method: "POST", body: body.data };
        change({ image: socialImageShape.parse(await (await callApi(request)).json()).url });
      } else setProblem("refused");
    } catch (error) {
      setProblem(problemOf(error));
    }
    setPending(false);
  }

  return (
    <div className="grid gap-2">
      <TextField
        {...part}
        name="image"
        inputMode="url"
        label={t("image")}
        hint={t("imageHint")}
        placeholder="https://"
      />
      <div className="flex flex-wrap items-center gap-2">
        <input
          ref={file}
          type="file"
          accept={imageTypes.join()}
          aria-label={t("file")}
          className="sr-only"
          tabIndex={-1}
          onChange={({ target }) => {
            const [picked] = target.files ?? [];
            if (picked) void upload(picked).finally(() => (target.value = ""));
          }}
        />
        <Button size="sm" pending={pending} onClick={() => file.current?.click()}>
          <ImagePlus aria-hidden />
          {t("upload")}
        </Button>
        {draft.image === "" ? null : (
          <Button size="sm" variant="ghost" onClick={() => change({ image: "" })}>
            <X aria-hidden />
            {t("removeImage")}
          </Button>
        )}
      </div>
      <p role="alert" className="text-danger text-sm empty:hidden">
        {problem ? t(`problems.${problem}`) : null}
      </p>
    </div>
  );
}

function problemOf(error: unknown): Problem {
  const status = error instanceof ApiError ? error.status : 0;
  const known: Partial<Record<number, Problem>> = { 403: "full", 422: "refused", 429: "often" };
  return known[status] ?? "failed";
}

async function base64Of(blob: Blob): Promise<string> {
  let text = "";
  for (const byte of new Uint8Array(await blob.arrayBuffer())) text += String.fromCharCode(byte);
  return btoa(text);
}

const imageTypes = ["image/png", "image/jpeg", "image/webp"];
const widthMax = 1_200;
const heightMax = 630;
const quality = 0.9;

/** Returns small files unchanged, and also unreadable ones, so that the server says what is wrong. */
async function fitImage(file: File): Promise<Blob> {
  if (file.size <= uploadBytesMax || !imageTypes.includes(file.type)) return file;
  const bitmap = await createImageBitmap(file).catch(() => undefined);
  if (!bitmap) return file;
  const scale = Math.min(1, widthMax / bitmap.width, heightMax / bitmap.height);
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  const context = canvas.getContext("2d");
  if (!context) return file;
  // A JPEG has no transparency; without a background it would be black.
  context.fillStyle = "#ffffff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  const small = await new Promise<Blob | null>((resolve) =>
    canvas.toBlob(resolve, "image/jpeg", quality),
  );
  return small ?? file;
}
