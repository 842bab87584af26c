interface AddressOwner {
  readonly id: number;
  readonly name: string;
  readonly email: string;
  readonly keepEmailPrivate: boolean;
}

/** Who reads the address; undefined: an anonymous caller. */
export type EmailViewer = { readonly id: number; readonly isAdmin: boolean } | undefined;

/**
 * Returns the e-mail address that a viewer sees (open-points 1.10). The user and site admins see the real address.
 * Other signed-in viewers see it unless it is private. Everyone else gets an address that does not reach the user.
 * @param domain setting `mail.domain`
 */
export function shownEmail(
  { id, name, email, keepEmailPrivate }: AddressOwner, viewer: EmailViewer, domain: string,
): string {
  const sees = viewer !== undefined && (viewer.id === id || viewer.isAdmin || !keepEmailPrivate);
  return sees ? email : `${name}@noreply.${domain}`;
}
