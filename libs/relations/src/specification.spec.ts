import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { catalogue, pairName } from './catalogue.ts';
import {
  checkableRelations, type ObjectClass, organizationClass, reportedRelations, siteRelations,
} from './classes.ts';
import { relationsOfPair } from './grants.ts';
import type { RelationRow } from './relation-row.ts';
import { relationTable, rowsOf } from './table.ts';

const specified = readFileSync(join(import.meta.dirname, '../fixtures/specified-relations.md'), 'utf8');

/** Returns the rows of the Markdown table below a heading, without its header row. */
function tableUnder(heading: string): string[][] {
  const section = specified.split(/^## /m).find((text) => text.startsWith(heading)) ?? '';
  return section
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) => line.slice(1, -1).replaceAll('\\|', '/').split('|').map((cell) => cell.trim()));
}

const quoted = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map((match) => match[1]!);
const letters: Readonly<Record<string, string>> = {
  O: 'owner', A: 'admin', E: 'editor', V: 'viewer', M: 'member', P: 'site_admin',
};

/** Returns the row of the table for a cell such as `organization#`can_edit``. */
function rowFor(relationCell: string): RelationRow {
  const named = /(\w+)#`(\w+)`/.exec(relationCell);
  const row = relationTable.find(({ type, relation }) => type === named?.[1] && relation === named[2]);
  if (row === undefined) throw new Error(`no row for ${relationCell}`);
  return row;
}

describe('labels of the spec (open-points 2.3)', () => {
  const rows = tableUnder('2.3');

  it('has a row of the table for every label', () => {
    expect(rows.length).toBeGreaterThan(50);
    for (const [labels, relation] of rows) {
      expect({ relation, labels: rowFor(relation!).labels }).toEqual({
        relation,
        labels: expect.arrayContaining(quoted(labels!)),
      });
    }
  });

  it.each(rows)('%s: %s for %s', (_labels, relation, holder, systemAdmin, pair) => {
    const row = rowFor(relation!);
    expect(row.pair ?? '-').toBe(pair === '-' ? '-' : quoted(pair!).join('/'));
    expect(row.systemAdmin).toBe(systemAdmin === 'S');
    if (holder!.startsWith('members of the team')) expect(row.lowest).toBe('team_member');
    else if (holder!.includes('administrative organization')) expect(row.lowest).toBe('branding_editor');
    else expect(row.lowest).toBe(letters[holder![0]!]);
    expect(row.ownersTeam).toBe(holder!.includes('Owners team: O') ? 'owner' : undefined);
    expect(row.teamMembers).toBe(holder!.includes('members of the team'));
  });
});

describe('gates without a label (open-points 2.4)', () => {
  const rows = tableUnder('2.4').filter(([, relation]) => relation!.includes('#'));

  it.each(rows)('%s: %s', (_gate, relations, holder, systemAdmin, pair) => {
    for (const relation of relations!.split(' / ')) {
      const row = rowFor(relation);
      expect(row.lowest).toBe(letters[holder![0]!]);
      expect(row.systemAdmin).toBe(systemAdmin === 'S');
      expect(row.pair ?? '-').toBe(pair === '-' ? '-' : quoted(pair!).join('/'));
    }
  });
});

describe('relations reported per type (open-points 2.5)', () => {
  const classes: Readonly<Record<string, ObjectClass>> = {
    user: 'own_user',
    organization: 'organization',
    team: 'team',
    cluster: 'cluster',
    contract: 'contract',
    robot_ac: 'robot_account',
    token: 'token',
  };

  it.each(tableUnder('2.5'))('%s', (type, relations) => {
    const [name] = quoted(type!);
    const expected = new Set(quoted(relations!).filter((relation) => /^can_(?!admin_)\w+$/.test(relation)));
    expect(reportedRelations(checkableRelations(classes[name!]!))).toEqual([...expected].sort());
    for (const [, relation, letter] of relations!.matchAll(/`(can_\w+)` \(([A-Z])\)/g)) {
      const row = rowsOf(name as RelationRow['type']).find((candidate) => candidate.relation === relation);
      expect(row?.lowest).toBe(letters[letter!]);
    }
  });

  it('repeats the relations of the site on the administrative organization alone', () => {
    const administrative = reportedRelations(checkableRelations(organizationClass(true)));
    const ordinary = reportedRelations(checkableRelations(organizationClass(false)));
    expect(administrative).toEqual([...ordinary, ...siteRelations].sort());
    expect(siteRelations.every((relation) => relation.startsWith('can_admin_'))).toBe(true);
  });
});

describe('catalogue (open-points 2.6)', () => {
  const rows = tableUnder('2.6');

  it('has the same pairs in the same order', () => {
    expect(catalogue.map(({ namespace, action }) => `${namespace}/${action}`)).toEqual(
      rows.map(([pair]) => quoted(pair!).join('/')),
    );
  });

  it.each(rows)('%s grants %s', (pair, grants) => {
    const [namespace, action] = quoted(pair!);
    const granted = grants!.split(';').flatMap((part) => {
      const types = part.slice(0, part.indexOf('`')).replace('org', 'organization').match(/\w+/g)!
        .filter((word) => word !== 'and');
      return types.flatMap((type) => quoted(part).map((relation) => `${type}#${relation}`));
    });
    expect(relationsOfPair(namespace!, action!).map(({ type, relation }) => `${type}#${relation}`).sort())
      .toEqual(granted.sort());
  });

  it.each(rows)('%s suggests what is associated', (pair, _grants, associated) => {
    const [namespace, action] = quoted(pair!);
    const entry = catalogue.find((candidate) => candidate.namespace === namespace && candidate.action === action);
    const expected = associated === '' ? [] : [{
      namespace, action: quoted(associated!).at(-1), required: associated!.endsWith('required'),
    }];
    expect(entry?.associated).toEqual(expected);
    expect(pairName(namespace!, expected[0]?.action ?? action!)).toBeDefined();
  });

  it('describes each pair in a sentence', () => {
    for (const { description } of catalogue) expect(description).toMatch(/^[A-Z].*[^ ]\.$/);
  });
});
