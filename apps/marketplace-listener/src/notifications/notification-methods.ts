import { Fault } from '@platform/faults';
import { malformed } from '@platform/rest';
import type { NotificationServiceService } from '@platform/proto/marketplace/v1/notification';
import type { Handlers } from '@platform/rpc';
import { invalidValue } from '@platform/values';
import type { Config } from '../config.ts';
import type { Parts } from '../parts.ts';
import { applicationParts } from '../subscriptions/application-id.ts';
import { fetchGroup } from '../subscriptions/fetch-group.ts';
import { auditRefusal } from './audit-refusal.ts';
import { createDocumentDigests } from './digest.ts';
import { type Payload, readPayload } from './payload.ts';
import { type ApplicationPayload, receiveDelete, receivePut } from './receive-application.ts';
import { receiveBind } from './receive-bind.ts';
import { hasSecret, isInRanges, secretMismatch } from './senders.ts';

const operations: ReadonlyMap<string, 'put' | 'delete' | 'bind'> = new Map([
  ['PUT', 'put'], ['DELETE', 'delete'], ['BIND', 'bind'],
]);

/** Methods that receive notifications (spec §4.9). Each checks the sender before it applies a notification. */
export function notificationMethods(parts: Parts): Handlers<typeof NotificationServiceService> {
  const { addressList, config, database } = parts;
  const digests = createDocumentDigests(config.encryptionKeys);
  return {
    receiveProviderA: async ({ notification }, context) => {
      const { deadline, sourceAddress } = context;
      const isAccepted = config.runMode === 'dev' || isInRanges(sourceAddress, config.providerAAllowedCidrs)
        || isInRanges(sourceAddress, await addressList.ranges(deadline));
      if (!isAccepted) throw new Fault('SOURCE_DENIED', 'notifications are not accepted from this address');
      context.body();
      const payload = readPayload('ProviderA', notification, digests);
      const link = await auditRefusal(database, 'bind', payload, deadline, () => receiveBind(parts, payload, context));
      return { link };
    },
    receiveProviderB: async ({ secret, notification }, context) => {
      if (!hasSecret(secret, config.providerBSecret)) throw secretMismatch();
      context.body();
      const payload = readPayload('ProviderB', notification, digests);
      const operation = operations.get(payload.eventType ?? '');
      return auditRefusal(database, operation ?? 'unknown', payload, context.deadline, async () => {
        const { applicationId } = payload;
        if (payload.eventType === undefined) throw malformed('eventType is required');
        if (operation === undefined) throw new Fault('UNKNOWN_EVENT_TYPE', 'eventType must be PUT, DELETE or BIND');
        if (applicationId === undefined || applicationParts(applicationId) === undefined) {
          const message = 'must be /subscriptions/{id}/resourceGroups/{group}/providers/{provider}/applications/{name}';
          throw invalidValue([{ path: 'applicationId', message }]);
        }
        switch (operation) {
          case 'bind': {
            const data = Buffer.from(JSON.stringify({ link: await receiveBind(parts, payload, context) }));
            return { body: { contentType: 'application/json', data, extensions: [] } };
          }
          case 'delete':
            await receiveDelete(parts, timed(payload, applicationId), context);
            return {};
          case 'put': {
            const id = await receivePut(parts, timed(payload, applicationId), context);
            if (id === undefined) return {};
            await fetchGroup({ database, applications: parts.providers.b }, id, context).catch((error: unknown) => {
              context.log.warn({ subscription: id, error }, 'cannot fetch the resource group; retrying later');
            });
            return {};
          }
        }
      });
    },
    receiveProviderC: async ({ secret, notification }, context) => {
      const read = (): Payload => {
        context.body();
        return readPayload('ProviderC', notification, digests);
      };
      const payload = hasSecret(secret, config.providerCSecret) ? read() : forgiven(config, read);
      const bind = () => receiveBind(parts, payload, context);
      return { link: await auditRefusal(database, 'bind', payload, context.deadline, bind) };
    },
  };
}

/** Allows a missing or wrong secret for the test installer only (open-points 11.2). @throws Fault SECRET_MISMATCH */
function forgiven({ providerCSecret, providerCTestInstallerId: testInstaller }: Config, read: () => Payload): Payload {
  if (providerCSecret === undefined || !testInstaller) throw secretMismatch();
  try {
    const payload = read();
    if (payload.problem === undefined && payload.installerId === testInstaller) return payload;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
  }
  throw secretMismatch();
}

/** How far `eventTime` may be in the future, in milliseconds, as for member events (open-points 11.8, 13.2). */
const mostEarlyMs = 600_000;

function timed(payload: Payload, applicationId: string): ApplicationPayload {
  const { eventTime } = payload;
  if (eventTime === undefined) throw malformed('eventTime is required');
  // If an event of the far future were applied, valid events with earlier times would count as late.
  if (eventTime.getTime() - Date.now() > mostEarlyMs) {
    throw invalidValue([{ path: 'eventTime', message: 'must not be more than 10 minutes in the future' }]);
  }
  return { ...payload, applicationId, eventTime };
}
