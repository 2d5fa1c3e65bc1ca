"use client";

import Link from "next/link";
import { type ComponentProps, useState } from "react";

/**
 * A link whose whole page is prefetched when it gets the pointer or the focus, so that a click shows the page at once. Not
 * earlier, because a list shows a hundred of them.
 */
export function PrefetchLink(props: ComponentProps<typeof Link>) {
  const [near, setNear] = useState(false);
  const come = () => setNear(true);
  return (
    <Link {...props} prefetch={near} onMouseEnter={come} onFocus={come} onPointerDown={come} />
  );
}
