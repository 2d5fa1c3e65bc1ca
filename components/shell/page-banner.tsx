import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

interface PageBannerProps {
  id: string;
  Icon: LucideIcon;
  heading: string;
  text: string;
  children: ReactNode;
}

export function PageBanner({ id, Icon, heading, text, children }: PageBannerProps) {
  return (
    <section
      aria-labelledby={id}
      className="mb-6 flex flex-wrap items-center gap-3 rounded-xl border border-line bg-sunken p-4"
    >
      <Icon aria-hidden className="size-5 shrink-0 text-ink-muted" />
      <div className="min-w-0 flex-1 basis-60 text-sm">
        <h2 id={id} className="font-medium">
          {heading}
        </h2>
        <p className="break-words text-ink-muted">{text}</p>
      </div>
      {children}
    </section>
  );
}
