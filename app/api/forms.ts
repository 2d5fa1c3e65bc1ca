import { z } from "@hono/zod-openapi";
import { eraseContact, exportContacts, getContact, listContacts } from "#lib/audience/contacts";
import * as fields from "#lib/audience/contacts/schema";
import { changeForm, createForm, deleteForm, getForm, listForms } from "#lib/audience/forms";
import { editForm, formShape, newForm } from "#lib/audience/forms/schema";
import { recordTypes } from "#lib/platform/downloads/schema";
import { access } from "./access.ts";
import { sendFile } from "./download.ts";
import { fileResponses, idParams, named, Resource } from "./router.ts";

const form = named("Form", formShape);
const contact = named("Contact", fields.contactShape);
const details = named("ContactDetails", fields.contactDetails);
const formParams = idParams("form", "The id of the form.");
const contactParams = idParams("con", "The id of the contact.");

export const formsApi = new Resource("Forms");

formsApi.answer("listForms", "get /forms", {
  ...access("links.read"),
  summary: "List forms",
  description: "Returns all forms, sorted by name.",
  returns: [200, z.array(form), "The forms."],
  run: ({ scope }) => listForms(scope),
});

formsApi.answer("createForm", "post /forms", {
  ...access("links.write"),
  summary: "Create a form",
  description:
    "A page that visitors fill in before a link redirects: set the `formId` of the link to its id. A workspace can have up to 100 forms.",
  request: { body: newForm },
  returns: [201, form, "The form."],
  run: ({ scope, body }) => createForm(scope, body),
});

formsApi.answer("getForm", "get /forms/{id}", {
  ...access("links.read"),
  summary: "Get a form",
  description: "Returns the fields of the form and how it looks.",
  request: { params: formParams },
  returns: [200, form, "The form."],
  run: ({ scope, params }) => getForm(scope, params.id),
});

formsApi.answer("editForm", "patch /forms/{id}", {
  ...access("links.write"),
  summary: "Update a form",
  description:
    "Omitted fields don’t change. Changing what visitors see creates a new version; each answer names its version.",
  request: { params: formParams, body: editForm },
  returns: [200, form, "The updated form."],
  run: ({ scope, params, body }) => changeForm(scope, params.id, body),
});

formsApi.answer("deleteForm", "delete /forms/{id}", {
  ...access("links.write"),
  summary: "Delete a form",
  description: "Only works for a form that no link uses. Its contacts are kept.",
  request: { params: formParams },
  returns: [200, z.object({ id: z.string() }), "The id of the deleted form."],
  run: ({ scope, params }) => deleteForm(scope, params.id),
});

formsApi.answer("listContacts", "get /contacts", {
  ...access("people.view", { personal: true }),
  summary: "List contacts",
  description: "People who answered forms, newest first. Requires the permission `people.view`.",
  request: { query: fields.listContactsQuery },
  returns: [200, z.array(contact), "A page of contacts."],
  run: ({ scope, query }) => listContacts(scope, query),
});

formsApi.respond("exportContacts", "get /contacts/export", {
  ...access("people.view", { personal: true }),
  summary: "Export contacts",
  description:
    "Streams the contacts that match, newest first. Requires `people.view`; each export is recorded in the audit log. In CSV files, phones have digits only, and texts that a spreadsheet could run as a formula start with an apostrophe.",
  request: { query: fields.exportContactsQuery },
  responses: fileResponses(Object.values(recordTypes), "The file."),
  run: async ({ c, scope, query }) => sendFile(c, await exportContacts(scope, query)),
});

formsApi.answer("getContact", "get /contacts/{id}", {
  ...access("people.view", { personal: true }),
  summary: "Get a contact",
  description: "With the answers and clicks of the person. Requires `people.view`.",
  request: { params: contactParams },
  returns: [200, details, "The contact."],
  run: ({ scope, params }) => getContact(scope, params.id),
});

formsApi.answer("eraseContact", "delete /contacts/{id}", {
  ...access("people.view", { also: "conversions.write", personal: true }),
  summary: "Erase a contact",
  description:
    "Deletes what is stored about the person, the answers, and which clicks were theirs. Clicks and leads stay counted. Requires `people.view` and `conversions.write`.",
  request: { params: contactParams },
  returns: [200, z.object({ id: z.string() }), "The id of the erased contact."],
  run: ({ scope, params }) => eraseContact(scope, params.id),
});
