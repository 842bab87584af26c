import { createHash } from 'node:crypto';
import type { BrandingOptions, SettingsServiceService } from '@platform/proto/orgs/v1/settings';
import type { Handler } from '@platform/rpc';
import type { Deadline } from '@platform/service';
import { changedFields, invalidValue, Violations } from '@platform/values';
import type { Parts } from '../parts.ts';
import { readFavicons, readLogo } from '../pictures/branding-picture.ts';
import { type Images, UnusablePicture } from '../pictures/images.ts';
import { lock } from '../write/locks.ts';
import { toBranding } from './get-branding.ts';
import { type BrandingColumns, lockBranding, updateBranding as update } from './store.ts';

/** POST /branding (spec §4.8, open-points 10). Absent fields stay unchanged. An empty text restores the default. */
export function updateBranding(
  { config, images, builtIn, write }: Parts,
): Handler<typeof SettingsServiceService.updateBranding> {
  return async ({ options = {} }, context) => {
    const wanted = await wantedBranding(options, images, context.deadline);
    const pictures = await builtIn();
    const { id } = context.account;
    return write(context, [lock.permission(id)], async (work) => {
      const before = await lockBranding(work);
      const after = { ...before, ...wanted };
      const details = changedFields(told(before), told(after));
      if (details !== undefined) {
        await update(work, after);
        work.audit({ action: 'settings.update_branding', object: 'site:main', organizationId: id, details });
      }
      return toBranding(after, pictures, config);
    });
  };
}

/** Validates the fields of a request and returns the new values. @throws Fault INVALID_VALUE with all invalid fields */
async function wantedBranding(
  { logo, favicon, primaryColor, showAppTag, appName }: BrandingOptions, images: Images, deadline: Deadline,
): Promise<Partial<BrandingColumns>> {
  const violations = new Violations();
  if (primaryColor !== undefined && !/^(?:#[0-9a-fA-F]{6})?$/.test(primaryColor)) {
    violations.note('primaryColor', 'must be a colour such as #2563eb, or empty');
  }
  if (appName !== undefined && !isAppName(appName)) {
    violations.note('appName', 'must have at most 50 characters, no control characters, and not only spaces');
  }
  /**
   * Reads the picture in a field. Returns null for an empty text, which resets the picture to its default. For an
   * unusable picture, adds a violation and returns null.
   */
  async function picture<Made>(path: string, text: string, read: ReadPicture<Made>): Promise<Made | null> {
    if (text === '') return null;
    try {
      return await read(images, text, deadline);
    } catch (error) {
      if (!(error instanceof UnusablePicture)) throw error;
      violations.note(path, error.message);
      return null;
    }
  }
  const wanted = {
    ...(logo === undefined ? {} : { logo: await picture('logo', logo, readLogo) }),
    ...(favicon === undefined ? {} : { favicons: await picture('favicon', favicon, readFavicons) }),
    ...(primaryColor === undefined ? {} : { primaryColor: primaryColor || null }),
    ...(showAppTag === undefined ? {} : { showAppTag }),
    ...(appName === undefined ? {} : { appName: appName || null }),
  };
  violations.refuse(invalidValue);
  return wanted;
}

type ReadPicture<Made> = (images: Images, text: string, deadline: Deadline) => Promise<Made>;

/**
 * Whether a text is empty or a valid name of the app. A name has at most 50 code points and no control characters. It
 * is not blank.
 */
function isAppName(text: string): boolean {
  const blank = text !== '' && text.trim() === '';
  return !blank && [...text].length <= 50 && !/\p{Cc}/u.test(text);
}

/** Returns the branding for the audit entry, with digests in place of pictures. */
function told({ logo, favicons, ...texts }: BrandingColumns) {
  return { ...texts, logo: digestOf(logo), favicons: digestOf(favicons && JSON.stringify(favicons)) };
}

function digestOf(text: string | null): string | null {
  return text && createHash('sha256').update(text).digest('hex');
}
