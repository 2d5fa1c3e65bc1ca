import { classNames } from "./class-names.ts";

const tones = ["red", "brown", "yellow", "green", "blue", "purple", "pink"];

/** The same name has the same color everywhere. */
function toneOf(name: string): string | undefined {
  let sum = 0;
  for (const character of name) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 9973;
  return tones[sum % tones.length];
}

/**
 * The first letter of a name on its color. Decorative, because the name is next to it. Drawn by CSS, so that the text of a button
 * contains only the name.
 */
export function Avatar({ name, className }: { name: string; className?: string }) {
  const [initial = "?"] = name.trim();
  return (
    <span
      aria-hidden
      data-tone={toneOf(name)}
      data-initial={initial}
      className={classNames(
        "tone grid size-6 shrink-0 select-none place-items-center rounded-md font-semibold text-xs uppercase before:content-[attr(data-initial)]",
        className,
      )}
    />
  );
}
