import type { LetterBrand } from '@platform/mail';
import type { Database } from '@platform/postgres';
import type { Deadline } from '@platform/service';
import type { Config } from '../config.ts';
import type { BuiltInPictures } from '../pictures/built-in.ts';
import { readDataUri } from '../pictures/data-uri.ts';
import type { Images } from '../pictures/images.ts';
import { createReadBranding, type BrandingRow } from '../settings/branding.ts';
import { toBranding } from '../settings/get-branding.ts';

/** Reads the name, colour and logo that mails show (spec §4.8). */
export type ReadLetterBrand = (deadline: Deadline) => Promise<LetterBrand>;

export interface BrandParts {
  readonly config: Config;
  readonly database: Database;
  readonly images: Images;
  readonly builtIn: () => Promise<BuiltInPictures>;
}

/**
 * Converts the logo to a PNG, because mail programs do not show data URIs. Converts it again only after the branding
 * has changed.
 */
export function createReadLetterBrand({ config, database, images, builtIn }: BrandParts): ReadLetterBrand {
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
