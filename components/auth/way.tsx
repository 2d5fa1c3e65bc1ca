import Link from "next/link";

/** The way to another page of the entrance. */
export function Way({ to, children }: { to: string; children: string }) {
  return (
    <Link
      href={to}
      className="rounded-xs font-medium text-accent underline-offset-4 hover:underline"
    >
      {children}
    </Link>
  );
}
