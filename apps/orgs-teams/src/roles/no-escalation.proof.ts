import { as, type ProofOptions, type ProofResult, seeded } from '@platform/testing';
import { type Game, moves } from '../fixtures/moves.ts';
import { reasonOf, startPlatform, type TestPlatform } from '../fixtures/platform.ts';
import { relationsOf, relationsWith } from '../fixtures/relations-of.ts';
import { memberOf, roleOf, teamOf, testOrganization, wholeCatalogue } from '../fixtures/structure.ts';

export const name = 'no-escalation';
export const describe = 'A viewer has one pair of the catalogue, and calls the methods that change roles, teams and '
  + 'memberships at random, several calls at once. In 1,980 sequences, the viewer gains no relation.';
export const servers = true;

const wholeSequences = 60 * wholeCatalogue.length;
const stepsPerSequence = 12;
const mostAtOnce = 3;

/** Permitted outcomes of a call; any other outcome is a finding. */
const expected = new Set([
  'OK', 'FORBIDDEN', 'PRIVILEGE_ESCALATION', 'NOT_FOUND', 'INVALID_VALUE', 'OWNERS_TEAM_IMMUTABLE', 'NOT_ORG_MEMBER',
  'ALREADY_EXISTS', 'CONFLICT', 'UNAVAILABLE',
]);

interface Progress {
  sequences: number;
  calls: number;
  done: number;
  escalations: number;
}

export async function prove(options: ProofOptions): Promise<ProofResult> {
  await using platform = await startPlatform();
  const wanted = Math.ceil(wholeSequences * options.share);
  const progress: Progress = {
    sequences: 0, calls: 0, done: 0, escalations: 0, ...(options.resume as Partial<Progress> | undefined),
  };
  const findings: string[] = [];
  while (progress.sequences < wanted) {
    findings.push(...await playSequence(platform, options.seed, progress));
    progress.sequences += 1;
    if (progress.sequences % wholeCatalogue.length === 0) {
      options.report(`${progress.sequences} sequences, ${progress.calls} calls, ${findings.length} findings`);
      await options.checkpoint?.(progress);
    }
  }
  const { sequences, calls, done, escalations } = progress;
  return {
    figure: `${sequences} sequences of ${calls} calls, ${done} done, ${escalations} refused as escalation, `
      + `${findings.length} gained anything`,
    // A run without a refused escalation proves nothing, so a minimum is required. It may be 0 for a small share.
    holds: findings.length === 0 && done >= Math.floor(sequences / 20) && escalations >= Math.floor(sequences / 50),
    counterexamples: findings.slice(0, 20),
  };
}

/** Makes random calls as a viewer in a new organization. Stops at the first relation that the viewer gains. */
async function playSequence(platform: TestPlatform, seed: number, progress: Progress): Promise<string[]> {
  const pair = wholeCatalogue[progress.sequences % wholeCatalogue.length]!;
  const chance = seeded(`${seed} ${progress.sequences}`);
  const organization = await testOrganization(platform);
  const own = await roleOf(platform, organization, [pair]);
  const strong = await roleOf(platform, organization, chance.shuffle(wholeCatalogue).slice(0, 3));
  const team = await teamOf(platform, organization, own);
  const admins = await platform.teams.createTeam(
    { orgname: organization.name, name: 'admins', type: 'kubernetes', permission: 'admin' },
    as(organization.owner.token),
  );
  const caller = await memberOf(platform, organization.viewers, team);
  const { owners, editors, viewers } = organization;
  const game: Game = {
    platform, organization, caller, pair, chance, roles: [own, strong],
    teams: [team, team, viewers, editors, owners, admins.id],
  };
  const held = relationsOf(platform, organization, caller);
  const before = relationsWith(pair);
  const where = `sequence ${progress.sequences} (${pair.namespace} / ${pair.action})`;
  for (let step = 0; step < stepsPerSequence; step += 1) {
    const chosen = Array.from({ length: chance.integer(1, mostAtOnce) }, () => chance.pick(moves));
    const reasons = await Promise.all(chosen.map((move) => reasonOf(move(game))));
    progress.calls += reasons.length;
    progress.done += reasons.filter((reason) => reason === 'OK').length;
    progress.escalations += reasons.filter((reason) => reason === 'PRIVILEGE_ESCALATION').length;
    const strange = reasons.filter((reason) => !expected.has(reason));
    if (strange.length > 0) return [`${where}, step ${step}: answered ${strange.join(', ')}`];
    if (!reasons.includes('OK')) continue;
    const gained = [...await held()].filter((relation) => !before.has(relation));
    if (gained.length > 0) return [`${where}, step ${step}: gained ${gained.join(', ')}`];
  }
  return [];
}
