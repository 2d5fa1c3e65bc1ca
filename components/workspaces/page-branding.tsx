"use client";

import { ImagePlus, Sparkles, Trash2 } from "lucide-react";
import { useTranslations } from "next-intl";
import { useEffect, useRef, useState } from "react";
import { ApiError, callApi } from "#components/forms/call-api.ts";
import { Button } from "#components/ui/button";
import { Card } from "#components/ui/card";
import { Field } from "#components/ui/field";
import { Input } from "#components/ui/input";
import { toast } from "#components/ui/toast";
import { inkOn } from "#lib/basics/formats/schema";
import {
  type Branding,
  brandingShape,
  brandingSuggestionShape,
  type BrandingSuggestion as Suggestion,
} from "#lib/links/branding/schema";

interface PageBrandingProps {
  workspace: string;
  initial: Branding;
  name: string;
}

const colorPattern = /^#[0-9a-f]{6}$/i;
const initialColor = "#0f766e";
const types = "image/png,image/jpeg,image/webp";

/** The color and logo of visitor pages. Each change is saved at once and shown in the preview. */
export function PageBranding({ workspace, initial, name }: PageBrandingProps) {
  const t = useTranslations("pageLook");
  const [branding, setBranding] = useState(initial);
  const [typed, setTyped] = useState(initial.color ?? "");
  const [error, setError] = useState<string>();
  const [pending, setPending] = useState(false);

  async function save(edit: Partial<Branding>) {
    setError(undefined);
    setPending(true);
    try {
      const request = { workspace, path: "/page-look", method: "PATCH", body: edit };
      setBranding(brandingShape.parse(await (await callApi(request)).json()));
      toast.success(t("saved"));
    } catch (problem) {
      const isRefused = problem instanceof ApiError && problem.status === 422;
      setError(t(isRefused ? "refused" : "notSaved"));
    }
    setPending(false);
  }

  function saveColor(text: string) {
    setTyped(text);
    if (
      text === "" ? branding.color !== null : colorPattern.test(text) && text !== branding.color
    ) {
      void save({ color: text === "" ? null : text });
    }
  }

  return (
    <Card heading={t("heading")} note={t("note")}>
      {branding.color === null && branding.logo === null ? (
        <BrandingSuggestion
          workspace={workspace}
          pending={pending}
          onTake={(edit) => {
            setTyped(edit.color ?? "");
            void save(edit);
          }}
        />
      ) : null}
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <div className="grid gap-4">
          <Field label={t("color")} hint={t("colorHint")}>
            {(control) => (
              <div className="flex gap-2">
                <input
                  type="color"
                  aria-label={t("pick")}
                  value={colorPattern.test(typed) ? typed : initialColor}
                  onChange={({ target }) => setTyped(target.value)}
                  onBlur={({ target }) => {
                    if (typed !== "") saveColor(target.value);
                  }}
                  className="h-9 w-11 shrink-0 rounded-md border border-line-strong bg-surface p-1 pointer-coarse:h-11"
                />
                <Input
                  {...control}
                  autoComplete="off"
                  spellCheck={false}
                  maxLength={7}
                  placeholder={initialColor}
                  value={typed}
                  onChange={({ target }) => setTyped(target.value.trim())}
                  onBlur={({ target }) => saveColor(target.value.trim())}
                  onKeyDown={(event) => {
                    if (event.key === "Enter") saveColor(typed);
                  }}
                />
              </div>
            )}
          </Field>
          <LogoButtons
            hasLogo={branding.logo !== null}
            pending={pending}
            onLogo={(logo) => void save({ logo })}
          />
          <p role="alert" className="text-danger text-sm empty:hidden">
            {error}
          </p>
        </div>
        <Preview color={colorPattern.test(typed) ? typed : null} logo={branding.logo} name={name} />
      </div>
    </Card>
  );
}

interface LogoButtonsProps {
  hasLogo: boolean;
  pending: boolean;
  onLogo: (logo: string | null) => void;
}

function LogoButtons({ hasLogo, pending, onLogo }: LogoButtonsProps) {
  const t = useTranslations("pageLook");
  const file = useRef<HTMLInputElement>(null);
  return (
    <div className="grid gap-1.5">
      <p className="font-medium text-sm">{t("logo")}</p>
      <div className="flex flex-wrap gap-2">
        <input
          ref={file}
          type="file"
          accept={types}
          aria-label={t("file")}
          className="sr-only"
          tabIndex={-1}
          onChange={({ target }) => {
            const [picked] = target.files ?? [];
            target.value = "";
            if (picked) void base64Of(picked).then(onLogo);
          }}
        />
        <Button pending={pending} onClick={() => file.current?.click()}>
          <ImagePlus aria-hidden />
          {t("upload")}
        </Button>
        {hasLogo ? (
          <Button variant="ghost" onClick={() => onLogo(null)}>
            <Trash2 aria-hidden />
            {t("remove")}
          </Button>
        ) : null}
      </div>
      <p className="text-ink-muted text-sm">{t("logoHint")}</p>
    </div>
  );
}

async function base64Of(file: File): Promise<string> {
  let text = "";
  for (const byte of new Uint8Array(await file.arrayBuffer())) text += String.fromCharCode(byte);
  return btoa(text);
}

function Preview({
  color,
  logo,
  name,
}: {
  color: string | null;
  logo: string | null;
  name: string;
}) {
  const t = useTranslations("pageLook");
  return (
    <figure
      aria-label={t("preview", { name })}
      className="grid place-items-center rounded-lg border border-line bg-canvas p-6"
    >
      <div
        className="grid w-full max-w-56 justify-items-center gap-2 overflow-hidden rounded-xl border border-line bg-surface p-4 text-center shadow-sm"
        style={color ? { borderTop: `4px solid ${color}` } : undefined}
      >
        {logo ? (
          // biome-ignore lint/performance/noImgElement: the exact bytes that visitors get
          <img
            src={`data:image/png;base64,${logo}`}
            alt=""
            className="max-h-16 max-w-16 rounded-md bg-white p-1.5"
          />
        ) : null}
        <p className="font-semibold text-sm">{t("previewTitle")}</p>
        <span aria-hidden className="h-7 w-full max-w-44 rounded-md border border-line-strong" />
        <span
          className="grid h-7 w-full max-w-44 place-items-center rounded-md border border-line-strong bg-solid font-medium text-on-solid text-xs"
          style={color ? { background: color, color: inkOn(color) } : undefined}
        >
          {t("previewButton")}
        </span>
      </div>
    </figure>
  );
}

interface BrandingSuggestionProps {
  workspace: string;
  pending: boolean;
  onTake: (branding: Partial<Branding>) => void;
}

/** Offers the color and logo of the workspace’s own site. Renders nothing if there are none. */
function BrandingSuggestion({ workspace, pending, onTake }: BrandingSuggestionProps) {
  const t = useTranslations("pageLook.suggestion");
  const suggestion = useSuggestion(workspace);
  if (!suggestion?.site) return null;
  const { site, color, logo } = suggestion;
  return (
    <section
      aria-label={t("label")}
      className="flex flex-wrap items-center gap-3 rounded-md border border-line border-dashed px-3 py-2 text-sm"
    >
      <Sparkles aria-hidden className="size-4 shrink-0 text-ink-faint" />
      {logo ? (
        // biome-ignore lint/performance/noImgElement: the exact bytes that visitors would get
        <img
          src={`data:image/png;base64,${logo}`}
          alt={t("logo", { site })}
          className="size-8 rounded-sm bg-white object-contain p-0.5"
        />
      ) : null}
      {color ? (
        <span className="flex items-center gap-1.5 text-ink-muted tabular-nums">
          <span
            aria-hidden
            className="size-5 rounded-full border border-line"
            style={{ background: color }}
          />
          {color}
        </span>
      ) : null}
      <p className="min-w-40 flex-1">{t("text", { site })}</p>
      <Button
        size="sm"
        pending={pending}
        onClick={() => onTake({ ...(color ? { color } : {}), ...(logo ? { logo } : {}) })}
      >
        {t("take")}
      </Button>
    </section>
  );
}

function useSuggestion(workspace: string): Suggestion | undefined {
  const [suggestion, setSuggestion] = useState<Suggestion>();
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    void callApi({ workspace, path: "/page-look/suggestion", signal })
      .then((answer) => answer.json())
      .then(
        (body) => setSuggestion(brandingSuggestionShape.parse(body)),
        // Nobody requested it, so an error is not shown.
        () => undefined,
      );
    return () => controller.abort();
  }, [workspace]);
  return suggestion;
}
