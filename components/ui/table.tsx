import type { ComponentProps } from "react";
import { classNames } from "./class-names.ts";

interface TableProps extends ComponentProps<"table"> {
  /** For screen readers only, because the page has its own heading. */
  caption: string;
}

export function Table({ caption, className, children, ...props }: TableProps) {
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable from the keyboard
      tabIndex={0}
      aria-label={caption}
      // Positioned, because text for screen readers would widen the page otherwise.
      className="relative overflow-x-auto rounded-lg border border-line"
    >
      <table className={classNames("w-full text-left text-sm", className)} {...props}>
        <caption className="sr-only">{caption}</caption>
        {children}
      </table>
    </section>
  );
}

export const tableHeadClass =
  "h-9 whitespace-nowrap border-line border-b bg-sunken px-3 font-medium text-ink-muted text-xs";

export function TableHead({ className, ...props }: ComponentProps<"th">) {
  return <th scope="col" className={classNames(tableHeadClass, className)} {...props} />;
}

export function TableRow({ className, ...props }: ComponentProps<"tr">) {
  return (
    <tr className={classNames("border-line border-b last:border-b-0", className)} {...props} />
  );
}

export function TableCell({ className, ...props }: ComponentProps<"td">) {
  return <td className={classNames("h-11 whitespace-nowrap px-3", className)} {...props} />;
}
