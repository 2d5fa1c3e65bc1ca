"use client";

import { FileQuestion } from "lucide-react";
import Link from "next/link";
import { Button } from "#components/ui/button";
import { EmptyState } from "#components/ui/empty-state";

interface MissingPageProps {
  heading: string;
  text: string;
  home: string;
  homeLabel: string;
}

/** A client component, because every page carries this content in case something below it does not exist. */
export function MissingPage({ heading, text, home, homeLabel }: MissingPageProps) {
  return (
    <EmptyState
      icon={<FileQuestion aria-hidden />}
      title={heading}
      wholePage
      actions={
        <Button asChild variant="solid">
          <Link href={home}>{homeLabel}</Link>
        </Button>
      }
    >
      {text}
    </EmptyState>
  );
}
