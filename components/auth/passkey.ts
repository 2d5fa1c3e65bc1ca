import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/browser";
import type { FormAnswer } from "#components/forms/form";

export type AskForPasskey = () => Promise<FormAnswer<PublicKeyCredentialRequestOptionsJSON>>;
export type OfferPasskey = () => Promise<FormAnswer<PublicKeyCredentialCreationOptionsJSON>>;

interface Steps<Done> {
  submit: (answer: string) => Promise<FormAnswer<Done>>;
  /** The person canceled, or the browser has no passkey for this. */
  canceled: string;
}

/** Loaded when it is needed. */
function load() {
  return import("@simplewebauthn/browser");
}

/** Lets the person choose a passkey, and submits what it signed. */
export async function signWithPasskey<Done>(
  ask: AskForPasskey,
  { submit, canceled }: Steps<Done>,
  inField = false,
): Promise<FormAnswer<Done>> {
  const [{ startAuthentication }, asked] = await Promise.all([load(), ask()]);
  if (!asked.ok) return asked;
  const answer = await startAuthentication({
    optionsJSON: asked.done,
    useBrowserAutofill: inField,
  }).catch(ofBrowser);
  return answer ? await submit(JSON.stringify(answer)) : { ok: false, said: { form: canceled } };
}

export async function createPasskey<Done>(
  offer: OfferPasskey,
  { submit, canceled }: Steps<Done>,
): Promise<FormAnswer<Done>> {
  const [{ startRegistration }, offered] = await Promise.all([load(), offer()]);
  if (!offered.ok) return offered;
  const answer = await startRegistration({ optionsJSON: offered.done }).catch(ofBrowser);
  return answer ? await submit(JSON.stringify(answer)) : { ok: false, said: { form: canceled } };
}

/** True if the browser can offer passkeys among the suggestions of the email field. */
export async function canSuggestPasskeys(): Promise<boolean> {
  if (typeof PublicKeyCredential === "undefined") return false;
  const { browserSupportsWebAuthnAutofill } = await load();
  return await browserSupportsWebAuthnAutofill();
}

/** Browsers throw a DOMException when a person cancels, and do not say more than that. */
function ofBrowser(error: unknown): undefined {
  if (!(error instanceof Error) || error instanceof TypeError) throw error;
}
