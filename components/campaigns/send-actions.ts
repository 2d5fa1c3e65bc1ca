import type { FormAnswer } from "#components/forms/form";
import type { Campaign, CampaignStatus, Recipient } from "#lib/outreach/campaigns/schema";
import type { Gateway } from "#lib/outreach/gateway-accounts/schema";
import type {
  DryRun,
  Settle,
  StartSending,
  TestedMessage,
  TestMessage,
} from "#lib/outreach/sending/schema";

export interface StartActions {
  tryStart: (body: StartSending) => Promise<FormAnswer<DryRun>>;
  start: (body: StartSending) => Promise<FormAnswer<null>>;
  test: (body: TestMessage) => Promise<FormAnswer<TestedMessage>>;
}

export interface SendActions {
  pause: () => Promise<FormAnswer<null>>;
  resume: () => Promise<FormAnswer<null>>;
  cancel: () => Promise<FormAnswer<null>>;
  settle: (body: Settle) => Promise<FormAnswer<{ settled: number }>>;
}

export interface CheckProps {
  workspace: string;
  campaign: Campaign;
  status: CampaignStatus;
  /** A recipient whose message can be shown; undefined for people who may not see messages. */
  sample: Recipient | undefined;
  gateways: readonly Gateway[];
  /** The domain of the links; null if it was deleted. */
  host: string | null;
  zone: string;
  /** False if administrators have turned sending off. */
  isOn: boolean;
  mayView: boolean;
  /** Null for people who may not start it, and while there is nothing to start. */
  actions: StartActions | null;
}
