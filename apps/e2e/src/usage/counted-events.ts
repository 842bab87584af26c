import { hash } from 'node:crypto';
import { reported } from './reported.ts';

/** The task of an agent in the proof usage-nothing-lost. */
export interface AgentTask {
  readonly url: string;
  readonly credentials: string;
  readonly subject: string;
  readonly productName: string;
  /** Seed and number of an event determine its content. */
  readonly seed: string;
  /** Time of the first event of each object, in milliseconds: the beginning of an hour. */
  readonly begin: number;
  /** Events in all: 10 of each object, numbered from 0. */
  readonly events: number;
  /** All events before this one have been acknowledged. */
  readonly from: number;
}

/** The usage of one namespace of a cluster, in core-minutes and GiB-minutes, and its number of objects. */
export interface Used {
  readonly cpu: number;
  readonly memory: number;
  readonly objects: number;
}

/** The last event of an object is its deletion. */
export const eventsOfObject = 10;
/** Time between two events of an object. */
const minuteMs = 60_000;
const namespaces = 10;

const namespaceOf = (object: number): string => `namespace-${object % namespaces}`;

/** Thousandths of a core and sixteenths of a GiB, whose sums have few decimals. */
function amountsOf(seed: string, number: number): { cpu: number; memory: number } {
  const bytes = hash('sha256', `${seed} ${number}`, 'buffer');
  return { cpu: 1 + bytes.readUInt16BE(0) % 4_000, memory: 1 + bytes.readUInt8(2) % 64 };
}

export function eventText({ seed, productName, begin }: AgentTask, number: number): string {
  const [object, place] = [Math.floor(number / eventsOfObject), number % eventsOfObject];
  const { cpu, memory } = amountsOf(seed, number);
  return reported(productName, {
    uid: `object-${object}`, generation: place + 1, time: new Date(begin + place * minuteMs).toISOString(),
    action: place === 0 ? 'created' : place === eventsOfObject - 1 ? 'deleted' : 'updated',
    cpu: `${cpu}m`, memory: `${memory * 64}Mi`, namespace: { name: namespaceOf(object) },
  });
}

/** The usage by namespace that all events of an agent add up to: the sums of their amounts, each for a minute. */
export function expectedUse({ seed, events }: Pick<AgentTask, 'seed' | 'events'>): Record<string, Used> {
  const used: Record<string, { cpu: number; memory: number; objects: number }> = {};
  for (let number = 0; number < events; number += 1) {
    const [object, place] = [Math.floor(number / eventsOfObject), number % eventsOfObject];
    const sum = used[namespaceOf(object)] ??= { cpu: 0, memory: 0, objects: 0 };
    if (place === 0) sum.objects += 1;
    if (place === eventsOfObject - 1) continue;
    const { cpu, memory } = amountsOf(seed, number);
    sum.cpu += cpu;
    sum.memory += memory;
  }
  return Object.fromEntries(Object.entries(used).map(([namespace, { cpu, memory, objects }]) =>
    [namespace, { cpu: cpu / 1_000, memory: memory / 16, objects }]));
}
