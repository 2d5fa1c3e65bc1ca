"use client";

import Link from "next/link";
import { type ComponentProps, useState } from "react";

/**
 * A link whose page is fetched whole once a pointer or the focus comes near, so that it stands there at the click. Not
 * before: a list has a hundred of them in sight.
 */
export function NearLink(props: ComponentProps<typeof Link>) {
  const [near, setNear] = useState(false);
  const come = () => setNear(true);
  return (
    <Link {...props} prefetch={near} onMouseEnter={come} onFocus={come} onPointerDown={come} />
  );
}
