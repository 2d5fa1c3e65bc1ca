"use client";

import type { ReactNode } from "react";
import { Button } from "#components/ui/button";

interface BarButtonProps extends React.ComponentProps<typeof Button> {
  label: string;
  icon: ReactNode;
}

/** A button with a label if there is room, and only its icon on a phone. */
export function BarButton({ label, icon, ...props }: BarButtonProps) {
  return (
    <Button size="sm" className="max-sm:px-2" {...props}>
      {icon}
      <span className="max-lg:sr-only @max-[60rem]:sr-only">{label}</span>
    </Button>
  );
}
