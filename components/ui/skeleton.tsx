import { classNames } from "./class-names.ts";

/** A placeholder for loading content. Hidden from screen readers: the region announces the loading. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden className={classNames("animate-pulse rounded-md bg-hover", className)} />;
}
