/** What makes a site admin one that can act. */
export interface AdminFlags {
  readonly isAdmin: boolean;
  readonly active: boolean;
  readonly prohibitLogin: boolean;
}

/** A site admin that can sign in. */
function isUsableAdmin({ isAdmin, active, prohibitLogin }: AdminFlags): boolean {
  return isAdmin && active && !prohibitLogin;
}

/**
 * Whether a change would leave the site without a site admin that can sign in (open-points 1.10).
 * @param after undefined: the account goes
 */
export function leavesNoAdmin(before: AdminFlags, after: AdminFlags | undefined, otherUsableAdmins: number): boolean {
  return isUsableAdmin(before) && otherUsableAdmins === 0 && (after === undefined || !isUsableAdmin(after));
}
