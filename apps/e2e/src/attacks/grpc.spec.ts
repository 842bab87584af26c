import { beforeAll, describe, expect, it } from '@jest/globals';
import { readImage } from '@platform/proto/image';
import { readSurface } from '@platform/surface';
import { type RunningPlatform, startPlatform } from '../platform.ts';
import { attackWorld } from './attack-world.ts';
import { attackOverGrpc, type GrpcAttackResult } from './grpc-attack.ts';

const surface = readSurface(await readImage());
let platform: RunningPlatform, result: GrpcAttackResult;

beforeAll(async () => {
  platform = await startPlatform();
  result = await attackOverGrpc(surface, platform, await attackWorld(platform), { seed: 1, casesPerMethod: 20 });
}, 300_000);

describe('random messages and random bytes over gRPC, to each method', () => {
  it('are done or refused, and never a mistake of ours', () => {
    expect(result.wrong).toEqual([]);
    // Both kinds of calls occurred: refused and accepted ones.
    expect(result.outcomes.get('OK')).toBeGreaterThan(0);
    expect(result.outcomes.get('MALFORMED_BODY')).toBeGreaterThan(0);
  });

  it('end no service', async () => {
    const admin = platform.http.with({ authorization: `Bearer ${platform.adminToken}` });
    expect((await admin.post('/api/v1/orgs', { json: { username: 'afterwards' } })).status).toBe(201);
    expect((await admin.get('/api/v1/orgs/afterwards/teams')).status).toBe(200);
    const replicas = Object.values(platform.services).flatMap((service) => service.replicas);
    for (const { hasEnded } of replicas) expect(hasEnded).toBe(false);
  });
});
