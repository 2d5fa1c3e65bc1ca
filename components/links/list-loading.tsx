// Every page of the list includes its loading state. A client component keeps it in a script instead of the HTML.
"use client";

import { Skeleton } from "#components/ui/skeleton";

const rows = ["w-40", "w-52", "w-36", "w-48", "w-44", "w-56"];

export function ListLoading() {
  return (
    <>
      <Skeleton className="h-9 w-full sm:max-w-md" />
      <div className="mt-4 rounded-xl border border-line bg-surface">
        {rows.map((width) => (
          <div
            key={width}
            className="flex h-[61px] items-center gap-3 border-line border-b px-3 last:border-b-0"
          >
            <Skeleton className="size-8 rounded-lg" />
            <div className="grid flex-1 gap-2">
              <Skeleton className={`h-3.5 ${width}`} />
              <Skeleton className="h-3 w-64 max-w-full" />
            </div>
            <Skeleton className="h-3.5 w-14" />
          </div>
        ))}
      </div>
    </>
  );
}
