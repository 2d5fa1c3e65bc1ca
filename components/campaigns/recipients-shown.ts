export const recipientsShown = ["all", "ready", "clicked", "not_clicked", "refused"] as const;
export type RecipientsShown = (typeof recipientsShown)[number];
