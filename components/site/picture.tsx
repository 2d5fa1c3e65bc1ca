import type { Theme } from "#components/shell/theme.ts";

export interface ImageFile {
  src: string;
  width: number;
  height: number;
}

export interface InThemes {
  light: ImageFile;
  dark: ImageFile;
}

interface PictureProps extends InThemes {
  /** Visitors see it first, so it loads before the others. */
  first?: boolean;
  theme: Theme;
  label: string;
}

/** A screenshot in the theme of the page. Loaded and decoded without scrolling, because paper and screenshots of the whole page would show empty boxes otherwise. */
export function Picture({ light, dark, first = false, theme, label }: PictureProps) {
  const shown = theme === "dark" ? dark : light;
  return (
    <picture>
      {theme === "system" ? (
        <source
          media="(prefers-color-scheme: dark)"
          srcSet={dark.src}
          width={dark.width}
          height={dark.height}
        />
      ) : null}
      <img
        src={shown.src}
        width={shown.width}
        height={shown.height}
        alt={label}
        fetchPriority={first ? "high" : "low"}
        decoding="sync"
        className="h-auto w-full rounded-xl border border-line"
      />
    </picture>
  );
}
