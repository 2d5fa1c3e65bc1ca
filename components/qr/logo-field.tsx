"use client";

import { ImagePlus, Trash2, X } from "lucide-react";
import { useTranslations } from "next-intl";
import { useId, useRef, useState } from "react";
import { Button } from "#components/ui/button";
import { classNames } from "#components/ui/class-names.ts";
import type { Logo } from "#lib/outreach/qr-templates/schema";
import { ApiError, logoUrl, removeLogo, uploadLogo } from "./qr-calls.ts";

const types = "image/png,image/jpeg,image/webp,image/svg+xml";

interface LogoFieldProps {
  workspace: string;
  logos: readonly Logo[];
  chosen: string | null;
  mayWrite: boolean;
  onChoose: (id: string | null) => void;
  onLogos: (logos: Logo[]) => void;
}

export function LogoField(props: LogoFieldProps) {
  const { workspace, logos, chosen, mayWrite, onChoose, onLogos } = props;
  const t = useTranslations("qr");
  const [error, setError] = useState<string>();
  const [pending, setPending] = useState(false);
  const file = useRef<HTMLInputElement>(null);
  const headingId = useId();

  async function upload(picked: File) {
    setError(undefined);
    setPending(true);
    try {
      const logo = await uploadLogo(workspace, picked);
      onLogos([logo, ...logos.filter(({ id }) => id !== logo.id)]);
      onChoose(logo.id);
    } catch (problem) {
      const status = problem instanceof ApiError ? problem.status : 0;
      setError(t(status === 403 ? "logosFull" : "logoRefused"));
    } finally {
      setPending(false);
      if (file.current) file.current.value = "";
    }
  }

  async function remove(id: string) {
    setError(undefined);
    try {
      await removeLogo(workspace, id);
      onChoose(null);
      onLogos(logos.filter((logo) => logo.id !== id));
    } catch (problem) {
      const status = problem instanceof ApiError ? problem.status : 0;
      setError(t(status === 409 ? "logoUsed" : "logoNotDeleted"));
    }
  }

  return (
    <section aria-labelledby={headingId} className="grid gap-2">
      <h3 id={headingId} className="font-medium text-sm">
        {t("logo")}
      </h3>
      <div className="flex flex-wrap items-center gap-2">
        <Tile pressed={chosen === null} label={t("noLogo")} onPress={() => onChoose(null)}>
          <X aria-hidden className="size-4 text-ink-muted" />
        </Tile>
        {logos.map(({ id }, at) => (
          <Tile
            key={id}
            pressed={id === chosen}
            label={t("logoNumber", { number: at + 1 })}
            onPress={() => onChoose(id)}
          >
            {/* biome-ignore lint/performance/noImgElement: already small, and private to its workspace */}
            <img src={logoUrl(workspace, id)} alt="" className="size-8 object-contain" />
          </Tile>
        ))}
        {mayWrite ? (
          <>
            <input
              ref={file}
              type="file"
              accept={types}
              aria-label={t("logoFile")}
              className="sr-only"
              tabIndex={-1}
              onChange={({ target }) => {
                const [picked] = target.files ?? [];
                if (picked) void upload(picked);
              }}
            />
            <Button pending={pending} onClick={() => file.current?.click()}>
              <ImagePlus aria-hidden />
              {t("upload")}
            </Button>
          </>
        ) : null}
        {mayWrite && chosen !== null ? (
          <Button variant="ghost" onClick={() => void remove(chosen)}>
            <Trash2 aria-hidden />
            {t("deleteLogo")}
          </Button>
        ) : null}
      </div>
      <p role="alert" className="text-danger text-sm empty:hidden">
        {error}
      </p>
      <p className="text-ink-muted text-sm">{t("logoHint")}</p>
    </section>
  );
}

interface TileProps {
  pressed: boolean;
  label: string;
  onPress: () => void;
  children: React.ReactNode;
}

function Tile({ pressed, label, onPress, children }: TileProps) {
  return (
    <button
      type="button"
      aria-pressed={pressed}
      aria-label={label}
      onClick={onPress}
      className={classNames(
        "grid size-11 place-items-center rounded-md border bg-surface hover:bg-hover",
        pressed ? "border-accent outline-1 outline-accent" : "border-line",
      )}
    >
      {children}
    </button>
  );
}
