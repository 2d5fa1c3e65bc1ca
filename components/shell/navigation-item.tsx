"use client";

import Link, { useLinkStatus } from "next/link";
import { usePathname } from "next/navigation";
import { classNames } from "#components/ui/class-names.ts";
import { Spinner } from "#components/ui/spinner";
import { PrefetchLink } from "./prefetch-link.tsx";

export const navigationItemClass =
  "flex h-8 items-center gap-2.5 rounded-md px-2 text-ink-muted text-sm transition-colors hover:bg-hover hover:text-ink pointer-coarse:h-11 [&_svg]:size-4";

/** A class of app/icons.mjs. */
export type IconClass = `icon-${string}`;

interface NavigationItemProps {
  href: string;
  icon: IconClass;
  /** Active only on this exact page, not on the pages below it. */
  exact?: boolean;
  /** Active on these pages too. */
  also?: readonly string[];
  /** Turns off prefetching, for pages that record when they are opened. */
  plain?: boolean;
  children: string;
}

export function NavigationItem({
  href,
  icon,
  exact = false,
  also = [],
  plain = false,
  children,
}: NavigationItemProps) {
  const path = usePathname();
  const here = path === href;
  const inside =
    here || [...(exact ? [] : [href]), ...also].some((one) => `${path}/`.startsWith(`${one}/`));
  const Anchor = plain ? PlainLink : PrefetchLink;
  return (
    <li>
      <Anchor
        href={href}
        aria-current={here ? "page" : inside ? "true" : undefined}
        className={classNames(
          navigationItemClass,
          inside && "bg-pressed font-medium text-ink hover:bg-pressed",
        )}
      >
        <span aria-hidden className={classNames(icon, "size-4")} />
        {children}
        <PendingNavigation />
      </Anchor>
    </li>
  );
}

function PlainLink(props: React.ComponentProps<typeof Link>) {
  return <Link {...props} prefetch={false} />;
}

function PendingNavigation() {
  const { pending } = useLinkStatus();
  return pending ? (
    <span className="ml-auto animate-late">
      <Spinner className="text-ink-faint" />
    </span>
  ) : null;
}
