import { type ClassValue, clsx } from "clsx";
import { twMerge } from "tailwind-merge";

/** Joins classes; of two that set the same property the later wins, so that a caller can override a component. */
export function classNames(...values: ClassValue[]): string {
  return twMerge(clsx(values));
}
