/** The examples of api-examples.ts for leads, sales, customers, public keys, forms and contacts. */
import { newId } from "#lib/platform/ids";
import type { Example } from "./api-examples.ts";

const formContent = {
  title: "Are you of age?",
  fields: [{ type: "check", label: "I am at least 18 years old" }],
};

export const conversionExamples: Record<string, Example> = {
  trackOpen: {
    needs: "conversions.write",
    body: ({ shortLink }) => ({ deepLink: shortLink }),
  },
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
  editCustomer: {
    needs: "conversions.write",
    also: "people.view",
    id: "customer",
    body: () => ({ name: "Ada" }),
  },
  listForms: { needs: "links.read" },
  createForm: { needs: "links.write", body: () => ({ name: newId("form"), ...formContent }) },
  getForm: { needs: "links.read", id: "form" },
  editForm: { needs: "links.write", id: "form", body: () => ({ title: "Another title" }) },
  deleteForm: { needs: "links.write", id: "form" },
  listContacts: { needs: "people.view" },
  exportContacts: { needs: "people.view" },
  getContact: { needs: "people.view", id: "contact" },
  eraseContact: { needs: "people.view", also: "conversions.write", id: "contact" },
  eraseCustomer: { needs: "conversions.write", also: "people.view", id: "customer" },
};
