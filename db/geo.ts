import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { Reader, type CountryResponse } from 'mmdb-lib';

/** ISO 3166-1 alpha-2 code of a public address, upper case; null when the data does not know it. */
export type CountryOf = (address: string) => string | null;

/** An entry of the bundled file, in its wire format. */
interface PlainCountry {
  country_code?: string;
}

/**
 * Reads the whole country file into memory once (8 MB; a look-up takes about 1 us). `file` is an
 * MMDB path, of this package's form or MaxMind's; undefined means the bundled one. Raises when the
 * file cannot be read.
 */
export function openGeo(file?: string): CountryOf {
  const location = file ?? bundledFile();
  const reader = new Reader<CountryResponse & PlainCountry>(readFileSync(location));
  return (address) => {
    const found = reader.get(address);
    const code = found?.country_code ?? found?.country?.iso_code;
    return code !== undefined && /^[A-Za-z]{2}$/.test(code) ? code.toUpperCase() : null;
  };
}

/** CC0-1.0, with NRO data under CC BY 4.0 (nro.net). Frozen in June 2026: operators may bring their own. */
function bundledFile(): string {
  const require = createRequire(path.join(process.cwd(), 'package.json'));
  return require.resolve('@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb');
}
