import { malformed } from '@platform/rest';
import { NotificationServiceService } from '@platform/proto/marketplace/v1/notification';
import { Fault, type Handler, implement, type Implementation } from '@platform/rpc';
import type { Deadline } from '@platform/service';
import { invalidValue } from '@platform/values';
import type { Parts } from '../parts.ts';
import { applicationParts } from '../subscriptions/application-id.ts';
import { fetchGroup } from '../subscriptions/fetch-group.ts';
import { auditRefusal } from './audit-refusal.ts';
import { createDigests, type Digests } from './digest.ts';
import { type Heard, hear } from './heard.ts';
import { type HeardOfApplication, receiveDelete, receivePut } from './receive-application.ts';
import { receiveBind } from './receive-bind.ts';
import { hasSecret, isInRanges, secretMismatch, sourceDenied } from './senders.ts';

/** The notifications of the marketplaces (spec §4.9): first who sends it, then the body, then what it asks for. */
export function notificationService(parts: Parts): Implementation {
  const digests = createDigests(parts.config.encryptionKeys);
  return implement(NotificationServiceService, {
    receiveProviderA: receiveProviderA(parts, digests),
    receiveProviderB: receiveProviderB(parts, digests),
    receiveProviderC: receiveProviderC(parts, digests),
  });
}

function receiveProviderA(
  parts: Parts, digests: Digests,
): Handler<typeof NotificationServiceService.receiveProviderA> {
  const { config, database } = parts;
  return async ({ notification }, context) => {
    const { deadline, sourceAddress } = context;
    if (config.runMode !== 'dev' && !(await isSourceOfA(parts, sourceAddress, deadline))) throw sourceDenied();
    context.body();
    const heard = hear('ProviderA', notification, digests);
    const link = await auditRefusal(database, 'bind', heard, deadline, () => receiveBind(parts, heard, context));
    return { link };
  };
}

async function isSourceOfA({ config, publishedRanges }: Parts, address: string, deadline: Deadline): Promise<boolean> {
  return isInRanges(address, config.providerAAllowedCidrs) || isInRanges(address, await publishedRanges(deadline));
}

function receiveProviderC(
  parts: Parts, digests: Digests,
): Handler<typeof NotificationServiceService.receiveProviderC> {
  const { config, database } = parts;
  return async ({ secret, notification }, context) => {
    const { deadline } = context;
    const read = (): Heard => {
      context.body();
      return hear('ProviderC', notification, digests);
    };
    const heard = hasSecret(secret, config.providerCSecret) ? read() : forgiven(parts, read);
    const link = await auditRefusal(database, 'bind', heard, deadline, () => receiveBind(parts, heard, context));
    return { link };
  };
}

/** A wrong secret is forgiven for the test installer alone (open-points 11.2). @throws Fault SECRET_MISMATCH */
function forgiven({ config }: Parts, read: () => Heard): Heard {
  const { providerCSecret, providerCTestInstallerId: testInstaller } = config;
  if (providerCSecret === undefined || !testInstaller) throw secretMismatch();
  let heard: Heard;
  try {
    heard = read();
  } catch (error) {
    if (error instanceof Fault) throw secretMismatch();
    throw error;
  }
  if (heard.installerId !== testInstaller) throw secretMismatch();
  return heard;
}

const operations: ReadonlyMap<string, 'put' | 'delete' | 'bind'> = new Map([
  ['PUT', 'put'], ['DELETE', 'delete'], ['BIND', 'bind'],
]);

function receiveProviderB(
  parts: Parts, digests: Digests,
): Handler<typeof NotificationServiceService.receiveProviderB> {
  const { config, database } = parts;
  return async ({ secret, notification }, context) => {
    if (!hasSecret(secret, config.providerBSecret)) throw secretMismatch();
    context.body();
    const heard = hear('ProviderB', notification, digests);
    const operation = operations.get(heard.eventType ?? '');
    return auditRefusal(database, operation ?? 'unknown', heard, context.deadline, async () => {
      const { applicationId } = heard;
      if (heard.eventType === undefined) throw malformed('eventType is required');
      if (operation === undefined) {
        throw new Fault('UNKNOWN_EVENT_TYPE', 'eventType must be PUT, DELETE or BIND');
      }
      if (applicationId === undefined || applicationParts(applicationId) === undefined) {
        throw invalidValue([{ path: 'applicationId', message: 'must be the id of an application' }]);
      }
      switch (operation) {
        case 'bind':
          return linkAnswer(await receiveBind(parts, heard, context));
        case 'delete':
          await receiveDelete(parts, timed(heard, applicationId), context);
          return {};
        case 'put': {
          const id = await receivePut(parts, timed(heard, applicationId), context);
          if (id !== undefined) {
            await fetchGroup(parts, id, context).catch((error: unknown) => {
              context.log.warn({ subscription: id, error }, 'the resource group is fetched later');
            });
          }
          return {};
        }
      }
    });
  };
}

function timed(heard: Heard, applicationId: string): HeardOfApplication {
  const { eventTime } = heard;
  if (eventTime === undefined) throw malformed('eventTime is required');
  return { ...heard, applicationId, eventTime };
}

function linkAnswer(link: string) {
  const data = Buffer.from(JSON.stringify({ link }));
  return { body: { contentType: 'application/json', data, extensions: [] } };
}
