"use client";

import { Link2 } from "lucide-react";
import { useEffect, useRef } from "react";
import { Button } from "#components/ui/button";

/** A link to drag to the bookmarks. Clicking it here does nothing, because there is nothing to shorten. */
export function Bookmarklet({ code, children }: { code: string; children: string }) {
  const anchor = useRef<HTMLAnchorElement>(null);
  // React replaces `javascript:` URLs, but the bookmark needs this one.
  useEffect(() => anchor.current?.setAttribute("href", code), [code]);
  return (
    <Button asChild>
      {/* biome-ignore lint/a11y/useValidAnchor: only links can be dragged to the bookmarks */}
      <a ref={anchor} href="#bookmarklet" onClick={(event) => event.preventDefault()}>
        <Link2 aria-hidden />
        {children}
      </a>
    </Button>
  );
}
