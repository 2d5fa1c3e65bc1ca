"use client";

import { useRef, useState } from "react";
import type { FileUpload } from "#components/forms/send-file.ts";
import type { RecipientSource } from "#lib/outreach/sources/schema";
import { sendRecipients } from "./source-calls.ts";

/** The upload of a file of recipients. */
export function useUpload(workspace: string, campaignId: string) {
  const sending = useRef<FileUpload<RecipientSource>>(undefined);
  /** The sent share of the file; undefined: no upload. */
  const [sent, setSent] = useState<number>();
  const [error, setError] = useState<Error>();
  function send(file: File, onAdded: (source: RecipientSource) => void, after: () => void) {
    setError(undefined);
    setSent(0);
    sending.current = sendRecipients({ workspace, campaignId, file }, setSent);
    sending.current.answer.then(
      (source) => {
        setSent(undefined);
        onAdded(source);
        after();
      },
      (failure: Error) => {
        setSent(undefined);
        setError(failure);
      },
    );
  }
  return { sent, error, send, abort: () => sending.current?.abort() };
}
