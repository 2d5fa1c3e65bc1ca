import type { ReactNode } from "react";

interface EmptyStateProps {
  icon: ReactNode;
  title: string;
  /** If the empty state is the whole page, its title becomes the heading of the page. */
  wholePage?: boolean;
  children: ReactNode;
  actions?: ReactNode;
}

export function EmptyState({ icon, title, wholePage = false, children, actions }: EmptyStateProps) {
  const Heading = wholePage ? "h1" : "h2";
  return (
    <div className="grid justify-items-center gap-3 rounded-xl border border-line border-dashed px-6 py-14 text-center">
      <div className="grid size-10 place-items-center rounded-lg border border-line bg-surface text-ink-muted shadow-raised [&_svg]:size-5">
        {icon}
      </div>
      <Heading className="font-semibold text-base">{title}</Heading>
      <div className="max-w-md text-balance text-ink-muted text-sm">{children}</div>
      {actions ? <div className="mt-2 flex flex-wrap justify-center gap-2">{actions}</div> : null}
    </div>
  );
}
