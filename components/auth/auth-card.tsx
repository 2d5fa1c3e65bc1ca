import Link from "next/link";
import type { ReactNode } from "react";

interface AuthCardProps {
  heading: string;
  note?: string;
  children: ReactNode;
  below?: ReactNode;
}

export function AuthCard({ heading, note, children, below }: AuthCardProps) {
  return (
    <>
      <div className="rounded-xl border border-line bg-surface p-6 shadow-raised">
        <h1 className="font-semibold text-xl">{heading}</h1>
        {note ? <p className="mt-1 text-ink-muted text-sm">{note}</p> : null}
        <div className="mt-5">{children}</div>
      </div>
      {below ? <p className="mt-5 text-center text-ink-muted text-sm">{below}</p> : null}
    </>
  );
}

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
