/** A user with an e-mail address. */
export interface EmailOwner {
  readonly id: number;
  readonly name: string;
  readonly email: string;
  readonly keepEmailPrivate: boolean;
}

/** Who reads the address; undefined: an anonymous caller. */
export type EmailViewer = { readonly id: number; readonly isAdmin: boolean } | undefined;

/**
 * Returns the e-mail address that a viewer sees (open-points 1.10): the real address, or an address that does not reach
 * the user. A private address is also hidden from owners of the user's organizations, because everybody can create an
 * organization and add users.
 * @param domain setting `mail.domain`
 */
export function shownEmail(owner: EmailOwner, viewer: EmailViewer, domain: string): string {
  const { id, name, email, keepEmailPrivate } = owner;
  const sees = viewer !== undefined && (viewer.id === id || viewer.isAdmin || !keepEmailPrivate);
  return sees ? email : `${name}@noreply.${domain}`;
}
