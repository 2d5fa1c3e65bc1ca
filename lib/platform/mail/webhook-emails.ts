/** The texts of emails about webhooks, in English and Chinese. */

interface Values {
  workspace?: string;
  /** Of the webhook. */
  name?: string;
}

export const webhookEmails = {
  webhookDisabled: ({ workspace, name }: Values) => ({
    subject: `A webhook of ${workspace} was disabled`,
    text: `The webhook “${name}” of the workspace ${workspace} was disabled: its server hasn’t accepted any event for 3 days, or reports that the URL no longer exists. New events aren’t kept until you activate it again.`,
    button: "Open webhook",
    otherwise: "You get this email because you created this webhook.",
  }),
};

export const webhookEmailsInChinese: typeof webhookEmails = {
  webhookDisabled: ({ workspace, name }) => ({
    subject: `${workspace} 的 Webhook 已停用`,
    text: `工作区 ${workspace} 的 Webhook“${name}”已停用：对方服务器连续 3 天未接收任何事件，或表示地址已失效。重新启用之前，不会为它保留新事件。`,
    button: "打开 Webhook",
    otherwise: "你创建了此 Webhook，因此收到此邮件。",
  }),
};
