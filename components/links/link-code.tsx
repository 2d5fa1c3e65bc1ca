"use client";

import { QrCode } from "lucide-react";
import { useEffect, useState } from "react";

const codePixels = 256;
const pauseMs = 300;

interface LinkCodeProps {
  shortLink: string;
  /** The public image of an existing link that has a design of its own. */
  qrCode?: string | undefined;
  alt: string;
}

/** The QR code of a short link. The API draws it once the link has not changed for a moment. Without a link, its place is empty. */
export function LinkCode({ shortLink, qrCode, alt }: LinkCodeProps) {
  const [drawn, setDrawn] = useState(shortLink);
  useEffect(() => {
    const timer = setTimeout(() => setDrawn(shortLink), pauseMs);
    return () => clearTimeout(timer);
  }, [shortLink]);
  if (drawn === "" || shortLink === "") {
    return (
      <div className="grid size-32 place-items-center rounded-md border border-line-strong border-dashed text-ink-faint">
        <QrCode aria-hidden className="size-8" />
      </div>
    );
  }
  const query = new URLSearchParams(qrCode ? new URL(qrCode).search : { url: `${drawn}?qr=1` });
  query.set("size", String(codePixels));
  query.set("margin", "2");
  return (
    // biome-ignore lint/performance/noImgElement: drawn by the API in the displayed size
    <img
      src={`/api/qr?${query}`}
      alt={alt}
      className="size-32 shrink-0 rounded-md border border-line bg-white object-contain"
    />
  );
}
