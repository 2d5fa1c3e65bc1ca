import { CircleAlert } from "lucide-react";

/** The error of a whole form. The live region exists from the start, so that the text is read out when it appears. */
export function FormError({ children }: { children: string | undefined }) {
  return (
    <div role="alert" className="empty:hidden">
      {children ? (
        <p className="flex gap-2 rounded-md bg-danger-soft px-3 py-2 text-danger text-sm">
          <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          {children}
        </p>
      ) : null}
    </div>
  );
}
