import type { Theme } from "#components/shell/theme.ts";

export interface ImageFile {
  src: string;
  width: number;
  height: number;
}

interface InThemes {
  light: ImageFile;
  dark: ImageFile;
}

interface PictureProps extends InThemes {
  /** For narrow screens, where the wide picture would be too small to read. */
  phone?: InThemes;
  /** The first thing that visitors see, so it loads at once. */
  first?: boolean;
  theme: Theme;
  label: string;
}

const narrow = "(max-width: 639px)";
const inDark = "(prefers-color-scheme: dark)";

/** A screenshot in the theme of the page. Reserves space for it, and loads it when it comes into view. */
export function Picture({ light, dark, phone, first = false, theme, label }: PictureProps) {
  const shown = theme === "dark" ? dark : light;
  const shownOnPhone = theme === "dark" ? phone?.dark : phone?.light;
  return (
    <picture>
      {theme === "system" && phone ? (
        <Source media={`${narrow} and ${inDark}`} file={phone.dark} />
      ) : null}
      {shownOnPhone ? <Source media={narrow} file={shownOnPhone} /> : null}
      {theme === "system" ? <Source media={inDark} file={dark} /> : null}
      <img
        src={shown.src}
        width={shown.width}
        height={shown.height}
        alt={label}
        loading={first ? "eager" : "lazy"}
        fetchPriority={first ? "high" : "auto"}
        decoding="async"
        className="h-auto w-full rounded-xl border border-line"
      />
    </picture>
  );
}

function Source({ media, file }: { media: string; file: ImageFile }) {
  return <source media={media} srcSet={file.src} width={file.width} height={file.height} />;
}
