"use client";

import { Failure } from "#components/shell/failure";

interface WorkspaceErrorProps {
  error: unknown;
  retry: () => void;
}

export default function WorkspaceError({ error, retry }: WorkspaceErrorProps) {
  return <Failure error={error} retry={retry} />;
}
