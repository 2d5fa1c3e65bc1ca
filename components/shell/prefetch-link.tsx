"use client";

import Link from "next/link";
import { type ComponentProps, useState } from "react";

/**
 * A link whose page is prefetched completely when a pointer or the focus comes near, so that a click shows it at once.
 * Not earlier: a list has a hundred of them in view.
 */
export function PrefetchLink(props: ComponentProps<typeof Link>) {
  const [near, setNear] = useState(false);
  const come = () => setNear(true);
  return (
    <Link {...props} prefetch={near} onMouseEnter={come} onFocus={come} onPointerDown={come} />
  );
}
