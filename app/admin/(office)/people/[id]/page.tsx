import type { Metadata } from "next";
import { PersonActions } from "#components/admin/person-actions";
import { PersonView } from "#components/admin/person-view";
import { PageHead } from "#components/shell/page-head";
import { viewPerson } from "#lib/office/views";
import { Texts } from "../../../../texts.tsx";
import { requireOperator } from "../../../access.ts";
import { type ObjectPageProps, orMissing } from "../../../objects.ts";
import { officeMetadata } from "../../../title.ts";
import { changePersonAction } from "./actions.ts";

const texts = ["admin.personActions"];

export function generateMetadata(): Promise<Metadata> {
  return officeMetadata("search");
}

export default async function OfficePersonPage({ params }: ObjectPageProps) {
  const operator = await requireOperator();
  const { id } = await params;
  const person = await orMissing(viewPerson(operator, id));
  const { operator: isOperator, confirmed, factor, sessions } = person;
  return (
    <>
      <PageHead heading={person.name} note={person.email} />
      <div className="grid gap-5">
        <PersonView person={person} />
        <Texts of={texts}>
          <PersonActions
            changes={[
              ...(confirmed ? [] : (["resendConfirmation"] as const)),
              ...(sessions.length > 0 ? (["endSessions"] as const) : []),
              ...(factor ? (["dropFactor"] as const) : []),
              isOperator ? "removeOperator" : "addOperator",
            ]}
            change={changePersonAction.bind(null, id)}
          />
        </Texts>
      </div>
    </>
  );
}
