import type { Resource } from '@platform/kubernetes';

export type Action = 'created' | 'updated' | 'deleted';

/** Who reports. */
export interface Reporter {
  /** Setting `labels.domain`. */
  readonly domain: string;
  readonly productName: string;
  readonly licenceId: string;
}

/** What events of an object say. */
export interface EventContent {
  readonly source: string;
  /** JSON, kept as it is: the identity of an event is that of these bytes. */
  readonly data: string;
}

/** `source` and `data` of the events of an object (open-points 13.2). */
export function eventContent(
  { domain, productName, licenceId }: Reporter, resourceID: Resource, resource: object,
): EventContent {
  const { group, name } = resourceID;
  return {
    source: `/${domain}/auditor/${licenceId}/feature/${productName}/${group}/${name}`,
    data: JSON.stringify({ licenseID: licenceId, resourceID, resource }),
  };
}

/** An event as it goes over the bus. Only `time` is different where the same is said again. */
export interface EventText extends EventContent {
  readonly uid: string;
  readonly generation: number;
  readonly action: Action;
  /** Unix milliseconds. An object that is again as it was before says so with other bytes, or it would be a repeat. */
  readonly since: number;
}

/** Writes a CloudEvent 1.0. @param domain setting `labels.domain`; a type begins with it, backwards */
export function cloudEvent(
  { uid, generation, source, action, data, since }: EventText, domain: string, time: Date,
): string {
  const head = JSON.stringify({
    specversion: '1.0',
    id: `${uid}.${generation}`,
    source,
    subject: uid,
    type: `${domain.split('.').toReversed().join('.')}.resource.${action}.v1`,
    time: time.toISOString(),
    datacontenttype: 'application/json',
  });
  return `${head.slice(0, -1)},"data":${data.slice(0, -1)},"since":"${new Date(since).toISOString()}"}}`;
}
