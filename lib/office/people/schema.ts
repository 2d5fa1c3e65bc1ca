/** What administrators can change about an account. */
export const personChanges = [
  "resendConfirmation",
  "endSessions",
  "dropFactor",
  "addOperator",
  "removeOperator",
] as const;
