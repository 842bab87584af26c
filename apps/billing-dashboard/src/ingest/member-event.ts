import { createHash } from 'node:crypto';
import { memberOfEvent, type Member } from '@platform/bus';
import {
  at, canonicalJson, type JsonObject, Malformed, objectOf, readMicroseconds, short, shortAt, textAt,
} from '../payload/json.ts';
import { type Metered, readMetered } from '../payload/metered.ts';

export interface MemberEvent {
  /** Owner, cluster and product. They come from the subject of the message only (open-points 13.5). */
  readonly member: Member;
  /** SHA-256 of (source, id, type, data): copies of an event have the same identity. */
  readonly identity: Buffer;
  readonly type: 'created' | 'updated' | 'deleted';
  /** CloudEvents `time`; the time of arrival if `time` is absent. In microseconds since 1970. */
  readonly time: number;
  readonly generation: number;
  readonly licenceId: string;
  readonly group: string;
  readonly resource: string;
  /** CloudEvents `subject`: the UID of the object. */
  readonly subject: string;
  readonly resourceId: JsonObject;
  readonly object: JsonObject;
  /** `spec.uid` of `object`; empty if it is absent or not a text. */
  readonly specUid: string;
  /** Undefined if the event is stored but not metered. */
  readonly metered: Metered | undefined;
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const sourceForm = /^\/[^/]*\/auditor\/([^/]*)\/feature\/[^/]*\/[^/]*\/[^/]*$/;
/** Matches escapes of NUL and of surrogates, as an agent may write them. */
const suspect = /\\u(?:0000|d[89a-f])/i;
/** Matches escapes of NUL and of lone surrogates in the text of `JSON.stringify`. PostgreSQL does not store these. */
const unstorable = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/;

/** Parses a message as an event (open-points 13.2). @param receivedAt microseconds since 1970 @throws Malformed */
export function readEvent(message: { subject: string; data: Uint8Array }, receivedAt: number): MemberEvent {
  const member = memberOfEvent(message.subject);
  if (member === undefined || !uuid.test(member.clusterUid)) {
    throw new Malformed(
      'the bus subject must be events.s{number}.user.{owner ID}.k8s.{cluster UUID}.product.{product}',
    );
  }
  const event = parse(message.data);
  const source = required(event, 'source');
  const found = sourceForm.exec(source);
  if (found === null) {
    throw new Malformed(
      'source must have the form /{domain}/auditor/{licenseID}/feature/{productName}/{group}/{resource}',
    );
  }
  const id = required(event, 'id');
  const subject = short(required(event, 'subject'), 'subject');
  const data = requiredObject(event, 'data');
  const resourceId = requiredObject(event, 'data.resourceID');
  const object = requiredObject(event, 'data.resource');
  const type = readType(required(event, 'type'));
  return {
    member,
    identity: createHash('sha256').update(canonicalJson([source, id, required(event, 'type'), data])).digest(),
    type,
    // In the JSON of CloudEvents, `null` is the same as an absent attribute.
    time: (at(event, 'time') ?? null) === null ? receivedAt : readMicroseconds(required(event, 'time'), 'time'),
    generation: Number(/\.(\d{1,15})$/.exec(id)?.[1] ?? 0),
    licenceId: shortAt(event, 'data.licenseID') || short(found[1]!, 'the licence in source'),
    group: shortAt(event, 'data.resourceID.group'),
    resource: short(required(event, 'data.resourceID.name'), 'data.resourceID.name'),
    subject, resourceId, object,
    specUid: textAt(object, 'spec', 'uid'),
    metered: readMetered(member.productName, event, subject),
  };
}

function parse(data: Uint8Array): JsonObject {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(data);
    const event = objectOf(JSON.parse(text));
    if (event !== undefined && !(suspect.test(text) && unstorable.test(JSON.stringify(event)))) return event;
  } catch (cause) {
    throw new Malformed('the message is not JSON in UTF-8, or is nested too deeply', { cause });
  }
  throw new Malformed('the message is not a JSON object, or has a NUL or a lone surrogate in a text');
}

function readType(type: string): MemberEvent['type'] {
  const found = /\.(created|updated|deleted)\.v1$/.exec(type);
  if (found === null) throw new Malformed('type must end in .created.v1, .updated.v1 or .deleted.v1');
  return found[1] as MemberEvent['type'];
}

/** @param path where the text is in the event, such as `data.resourceID.name` */
function required(event: JsonObject, path: string): string {
  const text = textAt(event, ...path.split('.'));
  if (text === '') throw new Malformed(`${path} is missing, empty or not a text`);
  return text;
}

function requiredObject(event: JsonObject, path: string): JsonObject {
  const found = objectOf(at(event, ...path.split('.')));
  if (found === undefined) throw new Malformed(`${path} is missing or not an object`);
  return found;
}
