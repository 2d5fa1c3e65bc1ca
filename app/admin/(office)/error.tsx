"use client";

import { Failure } from "#components/shell/failure";

interface AdminErrorProps {
  error: unknown;
  retry: () => void;
}

export default function AdminError({ error, retry }: AdminErrorProps) {
  return <Failure error={error} retry={retry} />;
}
