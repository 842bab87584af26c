/** Whose address it is. */
export interface EmailOwner {
  readonly id: number;
  readonly name: string;
  readonly email: string;
  readonly keepEmailPrivate: boolean;
}

/** Who looks at it. */
export interface EmailViewer {
  /** Undefined: an anonymous caller. */
  readonly caller: { readonly id: number; readonly isAdmin: boolean } | undefined;
  /** It stands in the member list of an organization whose owner the caller is. */
  readonly ownsList: boolean;
}

/**
 * The address others see (open-points 1.10): the true one, or one that does not reach the person.
 * @param domain setting `mail.domain`
 */
export function shownEmail(owner: EmailOwner, { caller, ownsList }: EmailViewer, domain: string): string {
  const { id, name, email, keepEmailPrivate } = owner;
  const sees = caller !== undefined && (caller.id === id || caller.isAdmin || ownsList || !keepEmailPrivate);
  return sees ? email : `${name}@noreply.${domain}`;
}
