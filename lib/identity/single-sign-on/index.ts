/** Single sign-on for people: finding their provider, connecting an account with it, and the end of its sessions. */
export {
  connectAccount,
  findConnectionOffer,
  openConnection,
  type PendingConnection,
  sealConnection,
} from "./connection.ts";
export { findBlockingProvider, findSignInProvider, openByException } from "./entering.ts";
export { endByProvider, logoutUrlOfSession, ssoJobs } from "./leaving.ts";
