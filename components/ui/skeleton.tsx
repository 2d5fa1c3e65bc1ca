import { classNames } from "./class-names.ts";

/** The place of something that is on its way. Hidden from screen readers: the region says that it loads. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden className={classNames("animate-pulse rounded-md bg-hover", className)} />;
}
