/** The examples of api-examples.ts for leads, sales, customers, public keys, forms and contacts. */
import { newId } from "#lib/basics/ids";
import type { Example } from "./api-examples.ts";

const formContent = {
  title: "Are you of age?",
  fields: [{ type: "check", label: "I am at least 18 years old" }],
};

export const conversionExamples: Record<string, Example> = {
  trackOpen: {
    body: ({ shortLink }) => ({ deepLink: shortLink }),
  },
  trackLead: {
    body: ({ click, externalId }) => ({
      clickId: click,
      eventName: "Sign up",
      customerExternalId: externalId,
    }),
  },
  trackSale: {
    body: ({ click, externalId }) => ({
      clickId: click,
      customerExternalId: externalId,
      amount: 1_580,
    }),
  },
  listPublicKeys: {},
  createPublicKey: {
    body: () => ({ name: "Shop", hosts: ["shop.example"] }),
  },
  deletePublicKey: { id: "publicKey" },
  listCustomers: {},
  getCustomer: { id: "customer" },
  editCustomer: {
    id: "customer",
    body: () => ({ name: "Ada" }),
  },
  listForms: {},
  createForm: { body: () => ({ name: newId("form"), ...formContent }) },
  getForm: { id: "form" },
  editForm: { id: "form", body: () => ({ title: "Another title" }) },
  deleteForm: { id: "form" },
  listContacts: {},
  exportContacts: {},
  getContact: { id: "contact" },
  eraseContact: { id: "contact" },
  eraseCustomer: { id: "customer" },
};
