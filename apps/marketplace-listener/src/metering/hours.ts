import type { Marketplace } from '../marketplaces.ts';

export const hourMs = 3_600_000;

/** For how many hours after the beginning of an hour a provider takes its report. */
export const takenForHours: Readonly<Record<Marketplace, number>> = { ProviderA: 6, ProviderB: 24, ProviderC: 24 };
