import type { Resource } from '@platform/kubernetes';

export type Action = 'created' | 'updated' | 'deleted';

export interface EventContent {
  readonly source: string;
  /** JSON text. A repeated event has exactly the same text, so that the platform recognizes the repetition. */
  readonly data: string;
}

/** `source` and `data` of the events of an object (open-points 13.2). */
export function eventContent(
  { domain, productName, licenceId }: { domain: string; productName: string; licenceId: string }, resourceID: Resource,
  resource: object,
): EventContent {
  const { group, name } = resourceID;
  return {
    source: `/${domain}/auditor/${licenceId}/feature/${productName}/${group}/${name}`,
    data: JSON.stringify({ licenseID: licenceId, resourceID, resource }),
  };
}

/**
 * Writes a CloudEvent 1.0. When the same state is reported again, only `time` differs. `since` is the time of the first
 * report of this state, in Unix milliseconds. It distinguishes a return to an earlier state from a repetition.
 * @param domain setting `labels.domain`; its labels in reverse order are the beginning of the type (`dev.platform`)
 */
export function cloudEvent(
  { uid, generation, source, action, data, since }:
  EventContent & { uid: string; generation: number; action: Action; since: number }, domain: string, time: Date,
): string {
  const head = JSON.stringify({
    specversion: '1.0', id: `${uid}.${generation}`, source, subject: uid,
    type: `${domain.split('.').toReversed().join('.')}.resource.${action}.v1`,
    time: time.toISOString(), datacontenttype: 'application/json',
  });
  return `${head.slice(0, -1)},"data":${data.slice(0, -1)},"since":"${new Date(since).toISOString()}"}}`;
}
