/** Lifetime of the tokens that the platform creates for accounts, in seconds (open-points 3.4). */
const tenYears = 10 * 365 * 86_400;

export function platformToken(purpose: string): { readonly name: string; readonly expiresInSeconds: number } {
  return { name: `${purpose} ${new Date().toISOString().slice(0, 19)}Z`, expiresInSeconds: tenYears };
}
