import type { FormAnswer } from "#components/forms/form";
import type {
  DryRun,
  Settle,
  StartSending,
  TestedMessage,
  TestMessage,
} from "#lib/outreach/sending/schema";

export interface SendActions {
  tryStart: (body: StartSending) => Promise<FormAnswer<DryRun>>;
  start: (body: StartSending) => Promise<FormAnswer<null>>;
  pause: () => Promise<FormAnswer<null>>;
  resume: () => Promise<FormAnswer<null>>;
  cancel: () => Promise<FormAnswer<null>>;
  test: (body: TestMessage) => Promise<FormAnswer<TestedMessage>>;
  settle: (body: Settle) => Promise<FormAnswer<{ settled: number }>>;
}
