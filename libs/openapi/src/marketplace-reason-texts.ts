import type { ReasonName } from '@platform/surface';

/** The part of {@link reasonTexts} for refusals of marketplace requests. */
export const marketplaceReasonTexts = {
  SUBSCRIPTION_NOT_FOUND: [
    'There is no such subscription.',
    'Check the id and the marketplace of the subscription.',
  ],
  NOT_REVOCABLE: [
    'The state of the subscription does not permit a revocation.',
    'Read the state of the subscription. Only `Bounded`, `Running` and `Failed` permit a revocation.',
  ],
  UNSUPPORTED_MARKETPLACE: [
    'The marketplace does not support the operation.',
    'Do not ping subscriptions of this marketplace. Their usage is reported directly to the provider.',
  ],
  UNKNOWN_EVENT_TYPE: ['The notification has an unknown type.', 'Send PUT, DELETE or BIND.'],
  INVALID_BINDING: [
    'The binding in the notification is not valid.',
    'Correct the field that the message names, and send the notification again.',
  ],
  SUBSCRIPTION_CLOSED: ['The subscription has ended or was revoked.', 'Create a new subscription.'],
  PROVIDER_REFUSED: [
    'The marketplace refuses the usage report.',
    'Correct the report. The message contains the answer of the marketplace.',
  ],
  SECRET_MISMATCH: [
    'The secret of the notification is missing or wrong.',
    'Configure the same secret in the marketplace and in the platform.',
  ],
  INSTALLER_ALREADY_BOUND: [
    'The installer is bound to a cluster already.',
    'Create a new installer for another cluster.',
  ],
  PROVIDER_FAILED: [
    'The marketplace returned an error that the platform does not attribute to the usage report.',
    'Repeat later.',
  ],
} satisfies Partial<Record<ReasonName, readonly [meaning: string, remedy: string]>>;
