import { getMessages, getTranslations } from "next-intl/server";
import { Table, TableCell, TableHead, TableRow } from "#components/ui/table";
import { namesIn } from "#lib/basics/variants/schema";

/** The README has the same table. */
export const comparedOn = new Date("2026-11-28");
export const products = {
  fuxi: { name: "Fuxi", url: null },
  dub: { name: "Dub", url: "https://github.com/dubinc/dub" },
  shlink: { name: "Shlink", url: "https://github.com/shlinkio/shlink" },
  kutt: { name: "Kutt", url: "https://github.com/thedevs-network/kutt" },
  yourls: { name: "YOURLS", url: "https://github.com/YOURLS/YOURLS" },
  bitly: { name: "Bitly", url: "https://support.bitly.com/hc/en-us/articles/11243274022413" },
};
type Cells = { title: string } & Partial<Record<keyof typeof products, string>>;

export async function Comparison() {
  const [t, messages] = await Promise.all([getTranslations("landing.comparison"), getMessages()]);
  const rows: Cells[] = Object.values(messages.landing.comparison.rows);
  return (
    <section aria-labelledby="comparison" className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <h2 id="comparison" className="font-semibold text-xl tracking-tight">
        {t("title")}
      </h2>
      <Table caption={t("caption")}>
        <thead>
          <tr>
            <TableHead>
              <span className="sr-only">{t("subject")}</span>
            </TableHead>
            {Object.values(products).map(({ name, url }) => (
              <TableHead key={name} className="text-ink text-sm">
                {url === null ? (
                  name
                ) : (
                  <a href={url} className="underline underline-offset-4 hover:text-accent">
                    {name}
                  </a>
                )}
              </TableHead>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ title, ...cells }) => (
            <TableRow key={title}>
              <th
                scope="row"
                className="whitespace-nowrap px-3 py-2 text-left align-top font-normal text-ink-muted"
              >
                {title}
              </th>
              {namesIn(products).map((product) => (
                <TableCell
                  key={product}
                  className="h-auto min-w-28 whitespace-normal py-2 align-top"
                >
                  {cells[product]}
                </TableCell>
              ))}
            </TableRow>
          ))}
        </tbody>
      </Table>
      <p className="text-ink-muted text-sm">{t("note", { date: comparedOn })}</p>
    </section>
  );
}
