import type { Theme } from "../shell/theme.ts";

/** The type of an imported image file. */
export interface ImageFile {
  src: string;
  width: number;
  height: number;
}

interface PictureProps {
  light: ImageFile;
  dark: ImageFile;
  theme: Theme;
  /** The visible content. */
  label: string;
}

/**
 * A screenshot of the product in the theme of the page. Its space is reserved, and it loads when it comes into view.
 */
export function Picture({ light, dark, theme, label }: PictureProps) {
  const shown = theme === "dark" ? dark : light;
  return (
    <picture>
      {theme === "system" ? (
        <source media="(prefers-color-scheme: dark)" srcSet={dark.src} />
      ) : null}
      <img
        src={shown.src}
        width={shown.width}
        height={shown.height}
        alt={label}
        loading="lazy"
        decoding="async"
        className="h-auto w-full rounded-xl border border-line"
      />
    </picture>
  );
}
