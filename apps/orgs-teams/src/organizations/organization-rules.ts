import type { CreateOrganizationRequest } from '@platform/proto/orgs/v1/organization';
import {
  controlCharacterProblem, fullNameProblem, lengthProblem, type Violations, webAddressProblem,
} from '@platform/values';
import { type Visibility, wantedVisibility } from '../accounts/visibility.ts';

/**
 * Checks the fields of an organization in a request, except `username` (open-points 3.1). Adds problems to
 * `violations`.
 * @returns the requested visibility; undefined if the request names none, or if `visibility` or `orgType` is invalid
 */
export function checkOrganization(
  violations: Violations, texts: Omit<CreateOrganizationRequest, 'username'>, runMode: 'prod' | 'dev' | 'test',
): Visibility | undefined {
  const { fullName = '', description = '', website = '', location = '', managerManagementClusterEndPoint = '' } = texts;
  violations.note('full_name', fullNameProblem(fullName));
  violations.note('description', lengthProblem(description, { most: 255 }));
  violations.note('website', webAddressProblem(website, ['http', 'https']));
  violations.note('location', lengthProblem(location, { most: 50 }) ?? controlCharacterProblem(location));
  const wanted = wantedVisibility(texts.visibility, texts.orgType);
  if ('unusable' in wanted) {
    for (const field of wanted.unusable) violations.note(field, 'must be one of public, limited, private');
  }
  const schemes = runMode === 'prod' ? ['https'] : ['https', 'http'];
  violations.note('managerManagementClusterEndPoint', webAddressProblem(managerManagementClusterEndPoint, schemes));
  return 'visibility' in wanted ? wanted.visibility : undefined;
}
