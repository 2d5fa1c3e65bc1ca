/**
 * Finds region codes (ISO 3166-2, `US-CA`) by the names of the location database, which are English
 * or local, with or without the kind of region ("Yoro Department").
 */
import { createRequire } from "node:module";
import { setImmediate } from "node:timers/promises";
import { iso31662 } from "iso-3166";

const namesPerTurn = 400;
const codes = new Map<string, string>();

/** Reads the names in parts, because a process with waiting visits may run this. */
export async function openRegions(): Promise<void> {
  putOtherNames();
  const english = readEnglishNames();
  // First-level regions have the country as parent.
  const levels = [...iso31662].sort((a, b) => a.parent.length - b.parent.length);
  let read = 0;
  for (const reduce of [fold, withoutKind]) {
    for (const { code, name } of levels) {
      const country = code.slice(0, 2);
      addName(country, reduce(english[code.replace("-", "").toLowerCase()] ?? ""), code);
      addName(country, reduce(name), code);
      if (++read % namesPerTurn === 0) await setImmediate();
    }
  }
}

function putOtherNames(): void {
  for (const [country, line] of Object.entries(otherNames)) {
    for (const [part, names] of line.split("; ").map(splitEntry)) {
      for (const name of names) addName(country, fold(name), `${country}-${part}`);
    }
  }
}

/** If several codes have the same name, the first one keeps it. */
function addName(country: string, name: string, code: string): void {
  const place = `${country} ${name}`;
  if (name !== "" && !codes.has(place)) codes.set(place, code);
}

export function regionOf(country: string, name: string): string | null {
  const written = `${country}=${name}`;
  const known = codes.get(written);
  if (known !== undefined) return known;
  const code =
    codes.get(`${country} ${fold(name)}`) ?? codes.get(`${country} ${withoutKind(name)}`);
  // Remember this spelling. The database has a few thousand spellings.
  if (code !== undefined) codes.set(written, code);
  return code ?? null;
}

/** `20 Podlasie|Podlachia` → the code after the hyphen, and the names */
function splitEntry(entry: string): [string, string[]] {
  const space = entry.indexOf(" ");
  return [entry.slice(0, space), entry.slice(space + 1).split("|")];
}

/** Sound because this is Unicode's format. */
function readEnglishNames(): Record<string, string> {
  const require = createRequire(import.meta.url);
  const file = require("cldr-subdivisions-full/subdivisions/en/en.json");
  return file.subdivisions.localeDisplayNames.subdivisions as Record<string, string>;
}

const letters: Record<string, string> = { ł: "l", ø: "o", đ: "d", ı: "i", ß: "ss", æ: "ae" };

/** `Île-de-France` → `ile de france` */
function fold(name: string): string {
  return name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[łøđıßæ]/g, (letter) => letters[letter] ?? letter)
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

const kinds = new Set(
  (
    "province provincie provincia provinsi region state county comitat prefecture governorate gouvernorat oblast " +
    "voblast voblasc district department departamento city urban municipality republic respublika autonomous special " +
    "krai kray kraj oblys oblisi estado judet raionul canton emirate metropolitan capital territory division parish " +
    "voivodeship wilaya grad island islands do si the of de du del d la le al el ash ad an as ar"
  ).split(" "),
);

/** `Yoro Department` → `yoro` */
function withoutKind(name: string): string {
  return fold(name)
    .split(" ")
    .filter((word) => !kinds.has(word))
    .join("");
}

/**
 * Region names of the location database that differ from the standards, as `country: code
 * name|name; code name`, found by comparing the names of three million addresses with Unicode CLDR
 * and ISO 3166-2.
 *
 * Differences in accents or words such as "Province" need no line. Names that a region shares with
 * one of its parts do, because the part would be found. Regions without codes (Hong Kong, Puerto
 * Rico) are absent.
 */
const otherNames: Record<string, string> = {
  AE: "RK Raʼs al Khaymah",
  AR: "C Buenos Aires F.D.",
  AU: "ACT ACT",
  BA: "BIH Federation of B&H; SRP Srpska",
  BD: "A Barisal Division; B Chittagong|Chittagong Division",
  BG: "22 Sofia-grad|Sofia-Capital",
  BH: "13 Manama",
  BY: "HO Homyel’ Voblasc’; MA Mogilev; HR Grodnenskaya",
  CH: "BS Basel-City; SG Saint Gall; GR Grisons",
  CL: "LI O'Higgins Region",
  CN: "NM Inner Mongolia",
  CO: "DC Bogota D.C.; SAP San Andres y Providencia",
  CZ: "10 Prague|Hlavni mesto Praha; 20 Central Bohemia; 31 South Bohemian Region; 32 Plzen Region; 41 Carlsbad Region; 42 Usti nad Labem Region; 51 Liberec Region; 52 Hradec Kralove Region; 53 Pardubice Region; 71 Olomouc Region; 72 Zlin|Zlin Region; 64 South Moravian; 80 Moravian-Silesian Region",
  DE: "HB Free Hanseatic City of Bremen; HH Free and Hanseatic City of Hamburg",
  DK: "81 North Denmark; 82 Central Jutland; 83 South Denmark",
  DO: "01 Nacional",
  EG: "BNS Beni Suweif",
  ES: "MD Madrid; VC Valencia; MC Murcia; CL Castille and Leon; CM Castille-La Mancha; NC Navarre",
  FI: "04 South Savo; 15 North Savo; 14 North Ostrobothnia; 03 South Ostrobothnia; 11 Tampere",
  FR: "ARA Rhone-Alpes|Auvergne; NAQ New Aquitaine|Aquitaine|Limousin; NOR Normandy|Upper Normandy|Lower Normandy; PAC Provence; BFC Bourgogne|Burgundy|Franche-Comte; 20R Corsica; HDF Picardie|Nord-Pas-de-Calais; GES Alsace|Lorraine|Champagne-Ardenne; OCC Languedoc-Roussillon|Midi-Pyrenees",
  HR: "16 Vukovar-Srijem",
  ID: "PE South Papua|Highland Papua|Central Papua; PB Southwest Papua",
  IQ: "DA Duhok; KA Karbalaʼ",
  IR: "04 West Azerbaijan; 28 North Khorasan",
  IS: "1 Capital Region; 3 West; 5 Northwest; 6 Northeast; 7 East; 8 South",
  IT: "57 The Marches; 32 Trentino-Alto Adige; 77 Basilicate",
  KE: "30 Nairobi Area",
  KR: "42 Gangwon-do; 49 Jeju-do; 50 Sejong-si",
  KZ: "11 Aqmola; 15 Aktyubinskaya Oblast’|Aktobe|Aqtobe; 19 Almaty Region; 23 Atyrau Oblisi; 27 Batys Qazaqstan|West Kazakhstan; 31 Zhambyl; 33 Jetisu Region|Zhetysu Region; 35 Karaganda; 39 Qostanay|Kostanay; 43 Qyzylorda|Kyzylorda; 47 Mangghystau|Mangystau; 55 Pavlodar Region; 59 North Kazakhstan; 61 Turkistan; 63 East Kazakhstan; 10 Abai Region; 71 Nur-Sultan|Astana",
  LT: "AL Alytus; KU Kaunas; KL Klaipeda; MR Marijampole; PN Panevezys; SA Siauliai; TA Taurage; TE Telsiai; UT Utena; VL Vilnius",
  MA: "07 Marrakesh-Safi; 10 Guelmim-Oued Noun; 12 Dakhla-Oued Ed-Dahab",
  MV: "26 Kaafu Atoll",
  NG: "FC FCT",
  NO: "31 Ostfold; 32 Akershus; 33 Buskerud; 39 Vestfold; 40 Telemark; 55 Troms; 56 Finnmark; 42 Aust-Agder|Vest-Agder",
  NP: "P4 Gandaki Pradesh; P6 Karnali Pradesh",
  OM: "BS Al Batinah North",
  PE: "CUS Cuzco Department",
  PG: "NCD National Capital",
  PH: "15 Cordillera",
  PL: "20 Podlasie; 18 Subcarpathian",
  QA: "DA Baladiyat ad Dawhah; RA Baladiyat ar Rayyan",
  RU: "SPE St.-Petersburg; PRI Primorye|Primorskiy (Maritime) Kray; KEM Kuzbass; KHM Khanty-Mansia; UD Udmurtiya Republic; ARK Arkhangelskaya; VOR Voronezj; YAN Yamalo-Nenets; KB Kabardino-Balkariya Republic; KC Karachayevo-Cherkesiya Republic; ZAB Zabaykalskiy (Transbaikal) Kray|Transbaikal Territory; SE North Ossetia; CE Chechnya; ORL Orel Oblast; CU Chuvashia; YAR Jaroslavl; CHU Chukotka",
  SA: "02 Mecca Region; 03 Medina Region; 12 Al Jouf",
  SI: "040 Izola-Isola; 050 Koper-Capodistria; 090 Piran-Pirano",
  TM: "S Ashgabat",
  UA: "05 Vinnytsia|Vinnytsya Oblast; 09 Luhansk; 12 Dnipropetrovsk; 14 Donetsk; 18 Zhytomyr; 21 Transcarpathia; 23 Zaporizhzhia|Zaporizhia; 26 Ivano-Frankivsk; 35 Kirovohrad; 40 Sebastopol City; 46 Lviv; 48 Mykolaiv|Mykolayiv Oblast; 51 Odesa|Odessa; 53 Poltava; 56 Rivne; 59 Sumy; 61 Ternopil; 63 Kharkiv; 65 Kherson; 68 Khmelnytskyi; 71 Cherkasy; 74 Chernihiv",
  UZ: "TK Toshkent Shahri",
  VE: "A Distrito Federal; X Estado La Guaira",
  VN: "SG Ho Chi Minh City (HCMC)",
  YE: "SA Amanat Alasimah; AD Aden; AM Omran; HD Hadramaout",
  ZA: "FS Orange Free State",
};
