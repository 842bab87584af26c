import type { SettingWarning } from '@platform/proto/marketplace/v1/metering';

/** The settings on which the warnings depend, and when the address list of provider A was last fetched. */
export interface Setup {
  readonly type: string;
  readonly alertEmails: readonly string[];
  readonly providerAProductCode: string | undefined;
  readonly providerAAllowedCidrs: readonly string[];
  /** Undefined if the published address list was never fetched. */
  readonly rangesFetchedAt: Date | undefined;
  readonly providerBSecret: unknown;
  readonly providerBClientSecretExpires: Date | undefined;
  readonly providerCSecret: unknown;
}

const dayMs = 86_400_000;
const oldestListMs = 7 * dayMs;
const expiresSoonMs = 30 * dayMs;

/** Returns warnings about this deployment, by name of the marketplace; empty if none (open-points 8.4, 11.8). */
export function warningsOf(setup: Setup, now: Date): Record<string, { warnings: SettingWarning[] }> {
  const findings = findingsOf(setup, now);
  if (findings === undefined) return {};
  const [marketplace, warnings] = findings;
  if (setup.alertEmails.length === 0) {
    warnings.push({ level: 'info', msg: 'Nobody gets alerts: marketplace.alertEmails is empty.' });
  }
  return warnings.length === 0 ? {} : { [marketplace]: { warnings } };
}

function findingsOf(setup: Setup, now: Date): [string, SettingWarning[]] | undefined {
  switch (setup.type) {
    case 'ProviderAMarketplace':
      return ['ProviderA', ofProviderA(setup, now)];
    case 'ProviderBMarketplace':
      return ['ProviderB', [...ofSecret('providerb', setup.providerBSecret), ...ofClient(setup, now)]];
    case 'ProviderCMarketplace':
      return ['ProviderC', ofSecret('providerc', setup.providerCSecret)];
    default:
      return undefined;
  }
}

function ofProviderA(
  { providerAProductCode: productCode, providerAAllowedCidrs: allowed, rangesFetchedAt: fetchedAt }: Setup, now: Date,
): SettingWarning[] {
  const warnings: SettingWarning[] = [];
  if (productCode === undefined) {
    warnings.push({ level: 'error', msg: 'The product code is missing: set marketplace.providera.productCode.' });
  }
  if (fetchedAt === undefined && allowed.length === 0) {
    warnings.push({
      level: 'error',
      msg: 'No address range is known, so notifications are refused: check marketplace.providera.rangesURL, or set '
        + 'marketplace.providera.allowedCIDRs.',
    });
  } else if (fetchedAt !== undefined && now.getTime() - fetchedAt.getTime() > oldestListMs) {
    const day = fetchedAt.toISOString().slice(0, 10);
    const msg = `The address list of provider A was last fetched on ${day}: check marketplace.providera.rangesURL.`;
    warnings.push({ level: 'warning', msg });
  }
  return warnings;
}

function ofSecret(provider: string, secret: unknown): SettingWarning[] {
  const msg = `The secret is missing, so all notifications are refused: set marketplace.${provider}.secret.`;
  return secret === undefined ? [{ level: 'error', msg }] : [];
}

function ofClient({ providerBClientSecretExpires: expires }: Setup, now: Date): SettingWarning[] {
  const left = expires === undefined ? Infinity : expires.getTime() - now.getTime();
  if (left > expiresSoonMs) return [];
  const day = expires!.toISOString().slice(0, 10);
  return [left <= 0
    ? { level: 'error', msg: `The client secret expired on ${day}.` }
    : { level: 'warning', msg: `The client secret expires on ${day}.` }];
}
