import { LoaderCircle } from "lucide-react";
import { classNames } from "./class-names.ts";

/** A spinner. The text around it says what is running. */
export function Spinner({ className }: { className?: string }) {
  return <LoaderCircle aria-hidden className={classNames("size-4 animate-spin", className)} />;
}
