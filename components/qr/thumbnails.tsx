/** Small pictures of what the options of a design look like. */
import { useId } from "react";
import type { QrDesign } from "#lib/links/qr-design/schema";

type Corners = QrDesign["corners"];

/** Five rows of modules, as bits: neighbors above, beside and alone. */
const modules = ["11011", "01010", "11100", "00101", "10111"];
const modulesAcross = 5;

export function DotsThumbnail({ dots }: { dots: QrDesign["dots"] }) {
  return (
    <svg viewBox="0 0 5 5" fill="currentColor" aria-hidden>
      {modulePlaces.map(({ x, y, round }) =>
        dots === "dots" ? (
          <circle key={`${x} ${y}`} cx={x + 0.5} cy={y + 0.5} r={0.44} />
        ) : (
          <path key={`${x} ${y}`} d={modulePath(x, y, dots === "rounded" ? round : [])} />
        ),
      )}
    </svg>
  );
}

interface Place {
  x: number;
  y: number;
  /** Whether each edge is round, clockwise from the top left. */
  round: boolean[];
}

function isDark(x: number, y: number): boolean {
  return modules[y]?.[x] === "1";
}

const modulePlaces: readonly Place[] = Array.from({ length: modulesAcross ** 2 }, (_, at) => {
  const [x, y] = [at % modulesAcross, Math.floor(at / modulesAcross)];
  const [up, right, down, left] = [
    isDark(x, y - 1),
    isDark(x + 1, y),
    isDark(x, y + 1),
    isDark(x - 1, y),
  ];
  return { x, y, round: [!up && !left, !up && !right, !down && !right, !down && !left] };
}).filter(({ x, y }) => isDark(x, y));

function modulePath(x: number, y: number, [first, second, third, fourth]: boolean[]): string {
  const turn = (round: boolean | undefined, arc: string, straight: string) =>
    round ? `a.5 .5 0 0 1 ${arc}` : straight;
  return `M${x} ${y + 0.5}${turn(first, ".5 -.5", "v-.5h.5")}${turn(second, ".5 .5", "h.5v.5")}${turn(third, "-.5 .5", "v.5h-.5")}${turn(fourth, "-.5 -.5", "h-.5v-.5")}z`;
}

const ringRadius: Record<Corners, number> = { square: 0, rounded: 1.6, circle: 2.6 };
const blockRadius: Record<Corners, number> = { square: 0, rounded: 0.75, circle: 1.5 };
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
    <svg viewBox="0 0 7 7" aria-hidden>
      <rect
        x={0.5}
        y={0.5}
        width={6}
        height={6}
        rx={ringRadius[corners]}
        fill="none"
        stroke="currentColor"
        opacity={part === "ring" ? 1 : faded}
      />
      <rect
        x={2}
        y={2}
        width={3}
        height={3}
        rx={blockRadius[cornerDots]}
        fill="currentColor"
        opacity={part === "block" ? 1 : faded}
      />
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
