import { LoaderCircle } from "lucide-react";
import { classNames } from "./class-names.ts";

/** Turns; whoever shows it says in words what is under way. */
export function Spinner({ className }: { className?: string }) {
  return <LoaderCircle aria-hidden className={classNames("size-4 animate-spin", className)} />;
}
