import type { ProofOptions, ProofResult } from '@platform/testing';
import { attackWorld } from '../src/attacks/attack-world.ts';
import { findSchemathesis } from '../src/attacks/schemathesis.ts';
import { startPlatform } from '../src/platform.ts';

export const name = 'schemathesis';
export const describe = 'Schemathesis, stateful, several seeds, 20,000 cases from the OpenAPI document: no 5xx, no '
  + 'undocumented status, no violation of a schema.';
export const servers = true;

const wholeCases = 20_000;

export async function prove({ seed, share, report }: ProofOptions): Promise<ProofResult> {
  const schemathesis = await findSchemathesis(report);
  if (!schemathesis) return { figure: 'Schemathesis is not available here', holds: false };
  const platform = await startPlatform();
  const { tokens } = await attackWorld(platform);
  const failures: string[] = [];
  let cases = 0;
  let runs = 0;
  // In turn the owner, the site admin and a stranger, each with an existing organization and with any name.
  while (cases < wholeCases * share) {
    const token = [tokens.owner, tokens['site admin'], tokens.outsider][runs % 3]!;
    const known = runs % 2 === 0 ? { 'path.orgname': 'acme', 'query.org': 'acme' } : {};
    const result = await schemathesis({ baseUrl: platform.baseUrl, token, known, seed: seed + runs, maxExamples: 20 });
    runs += 1;
    cases += result.cases;
    failures.push(...result.failures);
    report(`seed ${seed + runs - 1}: ${result.cases} cases, ${result.failures.length} failures`);
  }
  return {
    figure: `${cases} cases in ${runs} runs, ${failures.length} failures`,
    holds: failures.length === 0,
    counterexamples: failures.slice(0, 20),
  };
}
