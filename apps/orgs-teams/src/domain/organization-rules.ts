import type { TextRules } from './text-rules.ts';
import { type Visibility, wantedVisibility } from './visibility.ts';

/** What requests say about an organization; what they leave out is undefined. */
export interface OrganizationTexts {
  readonly fullName?: string | undefined;
  readonly description?: string | undefined;
  readonly website?: string | undefined;
  readonly location?: string | undefined;
  readonly orgType?: string | undefined;
  readonly managerManagementClusterEndPoint?: string | undefined;
  readonly visibility?: string | undefined;
}

/**
 * Holds what a request says about an organization against open-points 3.1.
 * @returns the visibility it asks for; undefined when it asks for none, or for one that is noted as wrong
 */
export function checkOrganization(
  rules: TextRules,
  texts: OrganizationTexts,
  runMode: 'prod' | 'dev' | 'test',
): Visibility | undefined {
  const { fullName = '', description = '', website = '', location = '', managerManagementClusterEndPoint = '' } = texts;
  rules.atMost('full_name', fullName, 100);
  rules.atMost('description', description, 255);
  rules.webAddress('website', website, ['http', 'https']);
  rules.atMost('location', location, 50);
  const wanted = wantedVisibility(texts.visibility, texts.orgType);
  if ('unusable' in wanted) {
    for (const field of wanted.unusable) rules.note(field, 'must be one of public, limited, private');
  }
  const schemes = runMode === 'prod' ? ['https'] : ['https', 'http'];
  rules.webAddress('managerManagementClusterEndPoint', managerManagementClusterEndPoint, schemes);
  return 'visibility' in wanted ? wanted.visibility : undefined;
}
