/** A licence as PEM; the API gives it as base64. */
export const pemOf = (license: string): string => atob(license);
