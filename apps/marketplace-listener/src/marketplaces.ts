/** The marketplaces, as the API names them. */
export const marketplaces = ['ProviderA', 'ProviderB', 'ProviderC'] as const;
export type Marketplace = (typeof marketplaces)[number];

export function isMarketplace(text: string): text is Marketplace {
  return marketplaces.some((name) => name === text);
}
