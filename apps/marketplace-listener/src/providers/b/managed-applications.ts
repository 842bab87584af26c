import type { Deadline, Secret } from '@platform/service';
import { type AccessTokens, askAuthorized, createAccessTokens } from '../access-tokens.ts';
import { isSuccess, objectOf, refusalIn, textOf, unreadable } from '../provider-http.ts';

/** Usage of one dimension of an application in one hour. */
interface UsageOfB {
  /** Id of the application: `/subscriptions/…/applications/…`. */
  readonly resourceUri: string;
  readonly planId: string;
  readonly dimension: string;
  readonly quantity: number;
  /** Start of the hour to which the usage belongs. */
  readonly startTime: Date;
}

/** Applications that customers bought at provider B. */
export interface ApplicationsOfB {
  /**
   * The id of the managed resource group of an application; undefined if there is no such application.
   * @throws ProviderRefusal; Fault UNAVAILABLE, BAD_UPSTREAM; DeadlineExceeded
   */
  managedResourceGroupOf(applicationId: string, deadline: Deadline): Promise<string | undefined>;
  /**
   * Reports usage to the provider. The provider counts one report for each application, dimension and hour, so a report
   * may be repeated.
   * @throws ProviderRefusal, also if an earlier report had another quantity; Fault UNAVAILABLE, BAD_UPSTREAM;
   *   DeadlineExceeded
   */
  report(usage: UsageOfB, deadline: Deadline): Promise<void>;
}

const identity = 'the identity service of provider B';
const resources = 'the resource API of provider B';
const metering = 'the metering of provider B';

/** The audience of tokens for metering; it is the same for all sellers. */
const meteringAudience = '20e940b3-4c77-4b0b-9a53-9e16a1b010a7';

/** Uses the Azure Resource Manager and the marketplace metering API with client credentials (ADR 0138). */
export function createApplicationsOfB({ tenantId, clientId, clientSecret, ...urls }: {
  tenantId: string; clientId: string; clientSecret: Secret;
  tokenUrl: string | undefined; resourceUrl: string | undefined; meteringUrl: string | undefined;
}): ApplicationsOfB {
  const resourceUrl = withoutSlash(urls.resourceUrl ?? 'https://management.azure.com');
  const meteringUrl = withoutSlash(urls.meteringUrl ?? 'https://marketplaceapi.microsoft.com');
  const tokenUrl = urls.tokenUrl
    ?? `https://login.microsoftonline.com/${encodeURIComponent(tenantId)}/oauth2/v2.0/token`;
  const tokensFor = (scope: string): AccessTokens => createAccessTokens(identity, tokenUrl, async () => ({
    grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret.reveal(), scope,
  }));
  const forResources = tokensFor('https://management.azure.com/.default');
  const forMetering = tokensFor(`${meteringAudience}/.default`);

  return {
    managedResourceGroupOf: async (applicationId, deadline) => {
      const path = applicationId.split('/').map(encodeURIComponent).join('/');
      const address = `${resourceUrl}${path}?api-version=2021-07-01`;
      const answer = await askAuthorized(resources, forResources, address, deadline);
      if (!isSuccess(answer)) {
        const refusal = refusalIn(resources, answer.status, objectOf(answer.json, 'error'), 'code');
        if (answer.status === 404) return undefined;
        throw refusal;
      }
      const group = textOf(objectOf(answer.json, 'properties'), 'managedResourceGroupId');
      if (group === '') throw unreadable(resources, answer.status);
      return group;
    },
    report: async ({ resourceUri, planId, dimension, quantity, startTime }, deadline) => {
      const address = `${meteringUrl}/api/usageEvent?api-version=2018-08-31`;
      const answer = await askAuthorized(metering, forMetering, address, deadline, {
        resourceUri, planId, dimension, quantity, effectiveStartTime: startTime.toISOString(),
      });
      if (isSuccess(answer)) {
        if (textOf(answer.json, 'status') !== 'Accepted') throw unreadable(metering, answer.status);
        return;
      }
      // The quantity that was counted for an earlier report of the same application, dimension and hour.
      const counted = objectOf(objectOf(answer.json, 'additionalInfo'), 'acceptedMessage')?.['quantity'];
      if (answer.status === 409 && counted === quantity) return;
      throw refusalIn(metering, answer.status, answer.json, 'code');
    },
  };
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '');
}
