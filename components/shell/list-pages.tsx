import { Button } from "#components/ui/button";
import { PrefetchLink } from "./prefetch-link.tsx";

interface ListPagesProps {
  first: string | undefined;
  next: string | undefined;
  newest: string;
  older: string;
}

export function ListPages({ first, next, newest, older }: ListPagesProps) {
  if (!first && !next) return null;
  return (
    <div className="mt-4 flex justify-end gap-2">
      {first ? (
        <Button asChild>
          <PrefetchLink href={first}>{newest}</PrefetchLink>
        </Button>
      ) : null}
      {next ? (
        <Button asChild>
          <PrefetchLink href={next}>{older}</PrefetchLink>
        </Button>
      ) : null}
    </div>
  );
}
