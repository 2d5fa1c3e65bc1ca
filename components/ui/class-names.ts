import { type ClassValue, clsx } from "clsx";
import { twMerge } from "tailwind-merge";

/** Joins classes. If two set the same property, the later one wins, so that a caller can override a component. */
export function classNames(...values: ClassValue[]): string {
  return twMerge(clsx(values));
}
