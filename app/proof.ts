import { arePasskeysPossible } from "#lib/identity/passkeys";
import { askPasskeyAction } from "./(auth)/actions.ts";
import {
  askPresenceAction,
  findProofAction,
  proveAction,
  provePasskeyAction,
  sendSignInAction,
} from "./proof-actions.ts";

/** What the frames of the dashboard need to ask for a proof, or for a new sign-in. */
export function proofActions() {
  return {
    find: findProofAction,
    prove: proveAction,
    sendSignIn: sendSignInAction,
    passkey: arePasskeysPossible()
      ? { ask: askPresenceAction, prove: provePasskeyAction }
      : undefined,
    signIn: askSignInPasskey(),
  };
}

/** Undefined where passkeys are not possible. */
export function askSignInPasskey() {
  return arePasskeysPossible() ? askPasskeyAction : undefined;
}
