"use client";

import { Failure } from "#components/shell/failure";

export default function RootError({ error, retry }: { error: unknown; retry: () => void }) {
  return (
    <main id="content" className="mx-auto grid min-h-dvh max-w-xl content-center px-5">
      <Failure error={error} retry={retry} />
    </main>
  );
}
