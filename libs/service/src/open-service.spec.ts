import { expect, it } from '@jest/globals';
import { readConfig } from './config.ts';
import { openService, servicePicks } from './open-service.ts';

it('is ready when all has begun to listen, not before, and no longer while it drains', async () => {
  const config = readConfig(servicePicks, { environment: { PLATFORM_LOG_LEVEL: 'fatal' } });
  const said: string[] = [];
  let admin = '';
  const readyz = async (): Promise<number> => (await fetch(`http://${admin}/readyz`)).status;

  const service = await openService('spec', config, new AbortController().signal, async ({ readiness, stack }) => {
    const { ready, checks } = await readiness.report();
    said.push(`at the start ${ready}: ${checks.flatMap(({ reason = [] }) => reason).join()}`);
    stack.defer(async () => void said.push(`while it drains ${await readyz()}`));
    return { http: '127.0.0.1:1' };
  });
  admin = service.addresses['admin']!;
  said.push(`then ${await readyz()}`);
  await service[Symbol.asyncDispose]();

  expect(said).toEqual(['at the start false: the service is starting', 'then 200', 'while it drains 503']);
  await expect(readyz()).rejects.toThrow();
});
