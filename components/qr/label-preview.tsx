"use client";

import {
  type LabelContent,
  type LabelSheet,
  pageSizes,
  partsOf,
  placesOf,
} from "#lib/outreach/qr-templates/schema";

interface LabelPreviewProps {
  /** Describes the picture. */
  label: string;
  sheet: LabelSheet;
  content: LabelContent;
  /** The first label that is printed, from 1. */
  startAt: number;
  count: number;
}

/** The first sheet: where its labels are, and which of them are printed. */
export function LabelPreview({ label, sheet, content, startAt, count }: LabelPreviewProps) {
  const { width, height } = pageSizes[sheet.page];
  const { code, text } = partsOf(sheet, content);
  const lines = text ? [content.shortLink, content.title].filter(Boolean).length : 0;
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${width} ${height}`}
      className="w-full rounded-md border border-line bg-white"
    >
      {placesOf(sheet).map((place, at) => {
        const printed = at >= startAt - 1 && at < startAt - 1 + count;
        return (
          <g key={`${place.x} ${place.y}`} transform={`translate(${place.x} ${place.y})`}>
            <rect
              width={place.width}
              height={place.height}
              rx={1}
              fill="none"
              stroke={printed ? "#64748b" : "#cbd5e1"}
              strokeWidth={0.4}
              {...(printed ? {} : { strokeDasharray: "1.5 1.5" })}
            />
            {printed ? (
              <>
                <rect {...code} fill="#1e293b" />
                {text
                  ? Array.from({ length: lines }, (_, line) => (
                      <rect
                        // biome-ignore lint/suspicious/noArrayIndexKey: lines have nothing else
                        key={line}
                        x={text.x + (text.place === "below" ? text.width * 0.15 : 0)}
                        y={lineTop(text, lines, line)}
                        width={text.width * 0.7}
                        height={text.size * 0.6}
                        fill="#94a3b8"
                      />
                    ))
                  : null}
              </>
            ) : null}
          </g>
        );
      })}
    </svg>
  );
}

function lineTop(
  { y, height, size, place }: { y: number; height: number; size: number; place: string },
  lines: number,
  line: number,
): number {
  const step = size * 1.25;
  const top = place === "below" ? y : y + (height - lines * step) / 2;
  return top + line * step + size * 0.3;
}
