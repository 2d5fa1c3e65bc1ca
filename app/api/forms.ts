/** Forms and contacts over the API. */
import { z } from "@hono/zod-openapi";
import { eraseContact, exportContacts, getContact, listContacts } from "#lib/audience/contacts";
import {
  contactDetails,
  contactShape,
  exportContactsQuery,
  listContactsQuery,
} from "#lib/audience/contacts/schema";
import { changeForm, createForm, deleteForm, getForm, listForms } from "#lib/audience/forms";
import { editForm, formShape, newForm } from "#lib/audience/forms/schema";
import { recordTypes } from "#lib/platform/downloads/schema";
import { access } from "./access.ts";
import { sendFile } from "./download.ts";
import { createRoute, fileResponses, jsonBody, newRouter, responses } from "./router.ts";

const tags = ["Forms"];
// Created again: only schemas created after loading the OpenAPI extension have its methods.
const form = z.object(formShape.shape).openapi("Form");
const contact = z.object(contactShape.shape).openapi("Contact");
const details = z.object(contactDetails.shape).openapi("ContactDetails");
const formParams = z.object({
  id: z.string().openapi({ example: "form_01KAYV5M3EJ2Q4R8ZC7D0N6XWB" }),
});
const contactParams = z.object({
  id: z.string().openapi({ example: "con_01KAYV5M3EJ2Q4R8ZC7D0N6XWB" }),
});

const list = createRoute({
  method: "get",
  path: "/forms",
  operationId: "listForms",
  ...access("links.read"),
  tags,
  summary: "List forms",
  description: "Returns all forms, sorted by name.",
  responses: responses(200, z.array(form), "The forms."),
});

const create = createRoute({
  method: "post",
  path: "/forms",
  operationId: "createForm",
  ...access("links.write"),
  tags,
  summary: "Create a form",
  description:
    "A page that links show before they go on: set the `formId` of a link to its id. A workspace can have up to 100 forms.",
  request: jsonBody(newForm),
  responses: responses(201, form, "The form."),
});

const get = createRoute({
  method: "get",
  path: "/forms/{id}",
  operationId: "getForm",
  ...access("links.read"),
  tags,
  summary: "Get a form",
  request: { params: formParams },
  responses: responses(200, form, "The form."),
});

const edit = createRoute({
  method: "patch",
  path: "/forms/{id}",
  operationId: "editForm",
  ...access("links.write"),
  tags,
  summary: "Update a form",
  description:
    "Fields that you don’t send stay. A change of what visitors see is a new version; answers name the version that they were given to.",
  request: { params: formParams, ...jsonBody(editForm) },
  responses: responses(200, form, "The updated form."),
});

const remove = createRoute({
  method: "delete",
  path: "/forms/{id}",
  operationId: "deleteForm",
  ...access("links.write"),
  tags,
  summary: "Delete a form",
  description: "Only a form that no link shows. Its contacts stay.",
  request: { params: formParams },
  responses: responses(200, z.object({ id: z.string() }), "The id of the deleted form."),
});

const contacts = createRoute({
  method: "get",
  path: "/contacts",
  operationId: "listContacts",
  ...access("people.view", { personal: true }),
  tags,
  summary: "List contacts",
  description: "People who answered forms, newest first. Requires the permission `people.view`.",
  request: { query: listContactsQuery },
  responses: responses(200, z.array(contact), "A page of contacts."),
});

const exportFile = createRoute({
  method: "get",
  path: "/contacts/export",
  operationId: "exportContacts",
  ...access("people.view", { personal: true }),
  tags,
  summary: "Export contacts",
  description:
    "Streams the contacts that match, newest first. Requires `people.view`; each export is recorded in the audit log. In CSV files, phones have digits only, and texts that a spreadsheet could run as a formula start with an apostrophe.",
  request: { query: exportContactsQuery },
  responses: fileResponses(Object.values(recordTypes), "The file."),
});

const getOne = createRoute({
  method: "get",
  path: "/contacts/{id}",
  operationId: "getContact",
  ...access("people.view", { personal: true }),
  tags,
  summary: "Get a contact",
  description: "With the answers and clicks of the person. Requires `people.view`.",
  request: { params: contactParams },
  responses: responses(200, details, "The contact."),
});

const erase = createRoute({
  method: "delete",
  path: "/contacts/{id}",
  operationId: "eraseContact",
  ...access("people.view", { also: "conversions.write", personal: true }),
  tags,
  summary: "Erase a contact",
  description:
    "Deletes what is stored about the person, the answers, and which clicks were theirs. Clicks and leads stay counted. Requires `people.view` and `conversions.write`.",
  request: { params: contactParams },
  responses: responses(200, z.object({ id: z.string() }), "The id of the erased contact."),
});

export const formsApi = newRouter();

formsApi.openapi(list, async (c) => c.json(await listForms(c.get("scope")), 200));
formsApi.openapi(create, async (c) =>
  c.json(await createForm(c.get("scope"), c.req.valid("json")), 201),
);
formsApi.openapi(get, async (c) =>
  c.json(await getForm(c.get("scope"), c.req.valid("param").id), 200),
);
formsApi.openapi(edit, async (c) =>
  c.json(await changeForm(c.get("scope"), c.req.valid("param").id, c.req.valid("json")), 200),
);
formsApi.openapi(remove, async (c) =>
  c.json(await deleteForm(c.get("scope"), c.req.valid("param").id), 200),
);
formsApi.openapi(contacts, async (c) =>
  c.json(await listContacts(c.get("scope"), c.req.valid("query")), 200),
);
formsApi.openapi(exportFile, async (c) =>
  sendFile(c, await exportContacts(c.get("scope"), c.req.valid("query"))),
);
formsApi.openapi(getOne, async (c) =>
  c.json(await getContact(c.get("scope"), c.req.valid("param").id), 200),
);
formsApi.openapi(erase, async (c) =>
  c.json(await eraseContact(c.get("scope"), c.req.valid("param").id), 200),
);
