import { alibabaGateway } from "./alibaba.ts";
import type { GatewayClient, GatewayOptions } from "./client.ts";
import { demoGateway } from "./demo.ts";
import { httpGateway } from "./http.ts";
import type { GatewayKindName, GatewaySettings, SettingsOf } from "./kinds.ts";
import { twilioGateway } from "./twilio.ts";

export { signedHeaders } from "./acs-signature.ts";
export { type GatewayClient, readRows } from "./client.ts";

const clients: {
  [Name in GatewayKindName]: (options: GatewayOptions<SettingsOf<Name>>) => GatewayClient;
} = { http: httpGateway, twilio: twilioGateway, alibaba: alibabaGateway, demo: demoGateway };

/** Sound because the kind of the settings selects the client. */
export function openGateway(options: GatewayOptions<GatewaySettings>): GatewayClient {
  const open = clients[options.settings.kind] as (
    options: GatewayOptions<GatewaySettings>,
  ) => GatewayClient;
  return open(options);
}
