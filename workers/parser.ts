/** Parses documents from strangers (lib/platform/parsers). */
import { pageParser } from "#lib/destinations/pages";
import { logoParser, pictureParser } from "#lib/platform/images";
import { serveParsers } from "#lib/platform/parsers";
import { tableParser } from "#lib/platform/tables";

serveParsers([logoParser, pictureParser, pageParser, tableParser]);
