import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getText, probeNats, probeOpenfga, probePostgres } from '@platform/backing/probes';
import { deadlineIn, remaining, within } from '@platform/service/basics';
import { natsCredentialsName, openfgaKeyName } from './kept-secrets.ts';
import type { PartStatus } from './parts-file.ts';
import type { RunFile } from './run-file.ts';

interface PartReadiness {
  readonly ready: boolean;
  /** Why the part is not ready. For a ready service: failed checks that do not affect its readiness. */
  readonly reason?: string;
}

export type ReportedPart = PartStatus & PartReadiness;

const patienceMs = 5_000;
/** The `reason` if a part does not answer in time. */
export const noAnswer = `no answer within ${patienceMs / 1_000} s`;

/**
 * Returns whether a part is ready. Asks a service at its `/readyz`. Asks a server in the server's own protocol, with
 * the secrets in the state folder `home`. Does not throw: a failure becomes the `reason`.
 * @param run content of `run.json`; undefined while the platform starts
 */
export async function askReadiness(part: PartStatus, run: RunFile | undefined, home: string): Promise<PartReadiness> {
  if (part.state !== 'running' && part.state !== 'external') return { ready: false, reason: part.state };
  const deadline = deadlineIn(patienceMs);
  try {
    // A request may continue after its signal aborts, so the wait has its own time limit.
    return await within(deadline, ask(part, run, home, deadline.signal), part.name);
  } catch (error) {
    const reason = remaining(deadline) === 0 ? noAnswer : (error as Error).message;
    return { ready: false, reason: reason.replaceAll(/\s+/g, ' ').trim() };
  }
}

async function ask(
  part: PartStatus, run: RunFile | undefined, home: string, signal: AbortSignal,
): Promise<PartReadiness> {
  if (part.admin !== undefined) return askService(part.admin, signal);
  if (run === undefined) return { ready: false, reason: 'the platform is starting' };
  await askServer(part.name, run, join(home, 'secrets'), signal);
  return { ready: true };
}

async function askService(address: string, signal: AbortSignal): Promise<PartReadiness> {
  const { status, text } = await getText(`http://${address}/readyz`, { signal });
  const report = JSON.parse(text) as { checks?: { name: string; ok: boolean; reason?: string }[] };
  const failed = (report.checks ?? []).filter(({ ok }) => !ok).map(({ name, reason }) => `${name}: ${reason ?? '?'}`);
  const reason = failed.join('; ');
  if (status !== 200) return { ready: false, reason: reason || `status ${status}` };
  return { ready: true, ...(reason === '' ? {} : { reason }) };
}

async function askServer(name: string, run: RunFile, secrets: string, signal: AbortSignal): Promise<void> {
  const secret = (file: string): Promise<string> => readFile(join(secrets, file), 'utf8');
  if (name === 'postgres') return probePostgres(run.postgres, signal);
  if (name === 'openfga') {
    return probeOpenfga({ url: run.openfga.url, presharedKey: await secret(openfgaKeyName) }, signal);
  }
  return probeNats({ url: run.nats, credentials: await secret(natsCredentialsName) }, signal);
}
