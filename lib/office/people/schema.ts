/** What administrators can change about an account. */
export const personChanges = [
  "resendConfirmation",
  "endSessions",
  "dropFactor",
  "blockSignIn",
  "allowSignIn",
  "addOperator",
  "removeOperator",
] as const;
export type PersonChangeName = (typeof personChanges)[number];
