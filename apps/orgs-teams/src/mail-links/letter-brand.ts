import type { LetterBrand } from '@platform/mail';
import type { Deadline } from '@platform/service';
import type { Parts } from '../parts.ts';
import { readDataUri } from '../pictures/data-uri.ts';
import { createReadBranding, type BrandingRow } from '../settings/branding.ts';
import { toBranding } from '../settings/get-branding.ts';

/** Reads the name, colour and logo that mails show (spec §4.8). */
export type ReadLetterBrand = (deadline: Deadline) => Promise<LetterBrand>;

/**
 * Returns a function that reads the brand for mails. The function converts the logo from a data URI to the bytes of a
 * PNG, because many mail programs do not show images from data URIs. It keeps the PNG until the branding changes.
 */
export function createReadLetterBrand({ config, database, images, builtIn }: Parts): ReadLetterBrand {
  const readBranding = createReadBranding(database);
  let kept: { readonly row: BrandingRow; readonly brand: LetterBrand } | undefined;
  return async (deadline) => {
    const row = await readBranding(deadline);
    if (kept?.row === row) return kept.brand;
    const { appName, primaryColor, logo } = toBranding(row, await builtIn(), config);
    const brand = {
      name: appName, color: primaryColor, logo: Buffer.from(await images.within(readDataUri(logo)!, 320, 96, deadline)),
    };
    kept = { row, brand };
    return brand;
  };
}
