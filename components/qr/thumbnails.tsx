/** Small pictures of what the options of a design look like. */
import { useId } from "react";
import { cornerPaths, dotPaths, type Matrix, type QrDesign } from "#lib/links/qr-design/schema";

type Corners = QrDesign["corners"];

/** Neighbors above, beside and alone. */
const sample: Matrix = {
  size: 5,
  modules: Uint8Array.from("1101101010111000010110111", Number),
};

export function DotsThumbnail({ dots }: { dots: QrDesign["dots"] }) {
  return (
    <svg viewBox="0 0 5 5" fill="currentColor" aria-hidden>
      <path d={dotPaths[dots](sample)} />
    </svg>
  );
}

const faded = 0.25;

/** A corner, in which either the ring or the block within is the option. */
export function CornerThumbnail({
  corners,
  cornerDots,
  part,
}: {
  corners: Corners;
  cornerDots: Corners;
  part: "ring" | "block";
}) {
  return (
    <svg viewBox="0 0 7 7" fill="currentColor" aria-hidden>
      <path
        d={cornerPaths[corners].ring(0, 0)}
        fillRule="evenodd"
        opacity={part === "ring" ? 1 : faded}
      />
      <path d={cornerPaths[cornerDots].block(2, 2)} opacity={part === "block" ? 1 : faded} />
    </svg>
  );
}

/** In the colors of the design, as far as they are set. */
export function GradientThumbnail({
  gradient,
  from,
  to,
}: {
  gradient: QrDesign["gradient"];
  from: string;
  to: string;
}) {
  const id = useId();
  const stops = (
    <>
      <stop stopColor={from} />
      <stop offset="1" stopColor={to} />
    </>
  );
  return (
    <svg viewBox="0 0 10 10" aria-hidden>
      {gradient === "linear" ? (
        <linearGradient id={id} x1="0" y1="0" x2="1" y2="1">
          {stops}
        </linearGradient>
      ) : null}
      {gradient === "radial" ? <radialGradient id={id}>{stops}</radialGradient> : null}
      <rect
        width={10}
        height={10}
        rx={1.5}
        fill={gradient === "none" ? from : `url(#${id})`}
        className="stroke-line"
        strokeWidth={0.25}
      />
    </svg>
  );
}

export function FrameThumbnail({ frame }: { frame: QrDesign["frame"] }) {
  return (
    <svg viewBox="0 0 10 12" aria-hidden>
      {frame === "label" ? <rect width={10} height={12} rx={1.2} fill="currentColor" /> : null}
      {frame === "line" ? (
        <rect
          x={0.25}
          y={0.25}
          width={9.5}
          height={11.5}
          rx={1.2}
          fill="none"
          stroke="currentColor"
          strokeWidth={0.5}
        />
      ) : null}
      {frame === "label" ? (
        <rect x={0.8} y={0.8} width={8.4} height={8.4} rx={0.6} className="fill-surface" />
      ) : null}
      <path
        d="M2 2h2v2h-2zM6 2h2v2h-2zM2 6h2v2h-2zM5 5h1v1h-1zM7 5h1v1h-1zM5 7h1v1h-1zM6 6h1v1h-1zM7 7h1v1h-1z"
        fill="currentColor"
      />
      <path
        d="M2.5 10.3h5"
        className={frame === "label" ? "stroke-surface" : "stroke-current"}
        strokeWidth={0.7}
      />
    </svg>
  );
}
