import type { UserRow } from './convert.ts';

/** Who reads the address; undefined: an anonymous caller. */
export type EmailViewer = { readonly id: number; readonly isAdmin: boolean } | undefined;

/**
 * Returns the e-mail address that a viewer sees (open-points 1.10): the real address, or an address that does not reach
 * the user. A private address is also hidden from owners of the user's organizations, because users can create an
 * organization and add other users.
 * @param domain setting `mail.domain`
 */
export function shownEmail(
  { id, name, email, keepEmailPrivate }: Pick<UserRow, 'id' | 'name' | 'email' | 'keepEmailPrivate'>,
  viewer: EmailViewer, domain: string,
): string {
  const sees = viewer !== undefined && (viewer.id === id || viewer.isAdmin || !keepEmailPrivate);
  return sees ? email : `${name}@noreply.${domain}`;
}
