import type { Theme } from "../shell/theme.ts";

/** What the build knows of an image file. */
export interface ImageFile {
  src: string;
  width: number;
  height: number;
}

interface PictureProps {
  light: ImageFile;
  dark: ImageFile;
  theme: Theme;
  /** What can be seen. */
  label: string;
}

/** A picture of the product in the theme of the page. Its place is kept, and it loads when it comes near. */
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
