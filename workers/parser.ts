/** A process that parses documents of strangers for another one, which must not stop answering (lib/platform/parsers). */
import { logoParser, pictureParser } from "#lib/platform/images";
import { pageParser } from "#lib/platform/page-head";
import { serveParsers } from "#lib/platform/parsers";
import { tableParser } from "#lib/platform/tables";

serveParsers([logoParser, pictureParser, pageParser, tableParser]);
