/** The examples of api-examples.ts for leads, sales, customers and public keys. */
import type { Example } from "./api-examples.ts";

export const conversionExamples: Record<string, Example> = {
  trackLead: {
    needs: "conversions.write",
    body: ({ click, externalId }) => ({
      clickId: click,
      eventName: "Sign up",
      customerExternalId: externalId,
    }),
  },
  trackSale: {
    needs: "conversions.write",
    body: ({ click, externalId }) => ({
      clickId: click,
      customerExternalId: externalId,
      amount: 1_580,
    }),
  },
  listPublicKeys: { needs: "people", permission: "keys.read" },
  createPublicKey: {
    needs: "people",
    permission: "keys.write",
    body: () => ({ name: "Shop", hosts: ["shop.example"] }),
  },
  deletePublicKey: { needs: "people", permission: "keys.write", id: "publicKey" },
  listCustomers: { needs: "analytics.read" },
  getCustomer: { needs: "analytics.read", id: "customer" },
  eraseCustomer: { needs: "conversions.write", also: "people.view", id: "customer" },
};
