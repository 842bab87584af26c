import { Fault } from '@platform/faults';
import { openReplicas, type Replicas, wire } from '@platform/rpc';
import type { Method, Surface } from '@platform/surface';
import { seeded, type SeededRandom } from '@platform/testing';
import { specCall } from '../operator.ts';
import type { Host, RunningPlatform } from '../platform.ts';
import type { AttackWorld } from './attack-world.ts';
import { brokenBytes, messageBytes } from '../surface/wire-bytes.ts';

export interface GrpcAttackOptions {
  readonly seed: number;
  /** Calls of each method. */
  readonly casesPerMethod: number;
  readonly report?: (line: string) => void;
}

export interface GrpcAttackResult {
  readonly cases: number;
  /** Number of calls by outcome: `OK` or a reason. */
  readonly outcomes: ReadonlyMap<string, number>;
  /** Calls with forbidden outcomes, with the data to repeat them. */
  readonly wrong: readonly string[];
}

/** Outcomes that indicate a mistake of ours: nothing that a caller sends may cause them. */
const wrongOutcomes = new Set(['INTERNAL', 'UNAVAILABLE', 'DEADLINE_EXCEEDED', 'REASON_UNSPECIFIED']);

/**
 * Calls every method with random messages and with bytes that are not a message, as every kind of caller; internal
 * methods also with the credential of a service. One call at a time, so that a failure has one cause.
 */
export async function attackOverGrpc(
  surface: Surface, platform: RunningPlatform, world: AttackWorld, { seed, casesPerMethod, report }: GrpcAttackOptions,
): Promise<GrpcAttackResult> {
  const outcomes = new Map<string, number>();
  const wrong: string[] = [];
  let cases = 0;
  for (const method of surface.methods) {
    const random = seeded(`${seed} ${method.fullName}`);
    const host = method.hosts[0] as Host;
    await using replicas = openReplicas(host, platform.grpc[host].split(','));
    for (let index = 0; index < casesPerMethod; index += 1) {
      const bytes = (random.chance(0.75) ? messageBytes : brokenBytes)(method.input, world, random);
      const outcome = await outcomeOf(method, bytes, entriesFor(method, platform, world, random), replicas);
      cases += 1;
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      if (wrongOutcomes.has(outcome)) {
        wrong.push(`${method.fullName} ${outcome}, case ${index} of seed ${seed}: ${bytes.toString('base64').slice(0, 400)}`);
      }
    }
    report?.(`${method.fullName}: ${cases} cases, ${wrong.length} wrong`);
  }
  return { cases, outcomes, wrong };
}

function entriesFor(
  { access }: Method, platform: RunningPlatform, { tokens }: AttackWorld, random: SeededRandom,
): [string, string][] {
  if (access.who === 'internal' && random.chance(0.9)) return [[wire.serviceCredential, platform.serviceCredential]];
  const token = random.pick([tokens.owner, tokens.owner, tokens['site admin'], tokens.outsider, tokens.nobody]);
  return token === undefined ? [] : [[wire.authorization, `Bearer ${token}`]];
}

async function outcomeOf(
  { path }: Method, request: Buffer, entries: [string, string][], replicas: Replicas,
): Promise<string> {
  const asIs = (bytes: Buffer) => bytes;
  const call = { path, repeatable: false, requestSerialize: asIs, responseDeserialize: asIs };
  try {
    await replicas.call(call, request, specCall(), entries);
    return 'OK';
  } catch (error) {
    if (error instanceof Fault) return error.reason;
    throw error;
  }
}
