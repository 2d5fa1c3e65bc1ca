"use client";

import { Failure } from "#components/shell/failure";

interface RootErrorProps {
  error: unknown;
  retry: () => void;
}

export default function RootError({ error, retry }: RootErrorProps) {
  return (
    <main id="content" className="mx-auto grid min-h-dvh max-w-xl content-center px-5">
      <Failure error={error} retry={retry} />
    </main>
  );
}
