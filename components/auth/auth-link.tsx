import Link from "next/link";

/** A link to another sign-in page. */
export function AuthLink({ to, children }: { to: string; children: string }) {
  return (
    <Link
      href={to}
      className="rounded-xs font-medium text-accent underline-offset-4 hover:underline"
    >
      {children}
    </Link>
  );
}
