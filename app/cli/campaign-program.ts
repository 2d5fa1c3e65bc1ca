import { type Command, Option } from "commander";
import { examples, pageSizeMax, sessionOf, wholeNumber } from "./arguments.ts";
import {
  createCampaign,
  exportCampaign,
  listCampaigns,
  type NewCampaignOptions,
  showCampaign,
} from "./commands/campaign.ts";
import type { Place } from "./session.ts";

export function addCampaigns(program: Command, place: Place): void {
  const campaign = program
    .command("campaign")
    .description("text messages with a link per recipient");
  campaign
    .command("list")
    .description("list campaigns, newest first")
    .option("--limit <number>", "campaigns to list", wholeNumber(pageSizeMax), 20)
    .action((_options: unknown, command: Command) =>
      listCampaigns(sessionOf(place, command), command.opts()),
    );
  campaign
    .command("create <file>")
    .description("create a campaign from a CSV file or an Excel workbook with a column of phones")
    .requiredOption("--name <name>", "the name of the campaign")
    .requiredOption("--message <text>", "the message; {link} is the short link, {name} a column")
    .requiredOption("--destination <url>", "where the links lead")
    .requiredOption("--country <code>", "the country of phones without a country code, such as DE")
    .option("--marketing", "marketing messages, which need the options below")
    .option("--consent <source>", "where the recipients agreed to get messages")
    .option("--consent-on <date>", "when they agreed")
    .option("--sender <name>", "the signature of messages to mainland China")
    .option("--opt-out <text>", "the end of the message, such as “Reply STOP to opt out”")
    .option("--domain <domain>", "the domain of the links")
    .addHelpText(
      "after",
      examples(
        "fuxi campaign create people.csv --name May --country DE \\\n      --message 'Hi {name|there}, {link}' --destination https://example.com/may",
      ),
    )
    .action((file: string, _options: unknown, command: Command) =>
      createCampaign(sessionOf(place, command), file, command.opts<NewCampaignOptions>()),
    );
  campaign
    .command("status <id>")
    .description("recipients, clicks, parts and costs of a campaign")
    .action((id: string, _options: unknown, command: Command) =>
      showCampaign(sessionOf(place, command), id),
    );
  const format = new Option("--format <format>", "of the messages")
    .choices(["csv", "jsonl", "xlsx"])
    .default("csv");
  campaign
    .command("export <id>")
    .description("export the finished messages for a gateway, or the report")
    .addOption(format)
    .option("--report", "the report as CSV instead of the messages")
    .option("--output <file>", "the file; else stdout")
    .action((id: string, _options: unknown, command: Command) =>
      exportCampaign(sessionOf(place, command), id, command.opts()),
    );
}
