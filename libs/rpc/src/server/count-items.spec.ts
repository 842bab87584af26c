import { describe, expect, it } from '@jest/globals';
import { readImage } from '@platform/proto/image';
import { type DescMessage, itemLimit, readSurface } from '@platform/surface';
import { wireField as field } from '../fixtures/wire-field.ts';
import { allowanceOf, itemCounter, withoutField } from './count-items.ts';

const surface = readSurface(await readImage());

function excessOf(method: string, message: Uint8Array, isDirect = true) {
  const { input } = surface.methods.find(({ name }) => name === method)!;
  const { fault, field } = itemCounter(input)(message, allowanceOf({ fromService: !isDirect })) ?? {};
  return fault && { reason: fault.reason, paths: fault.violations.map(({ path }) => path), field };
}

/** Repeats these bytes, such as an empty message or a small number. */
function many(count: number, ...bytes: number[]): Buffer {
  return Buffer.concat(Array.from({ length: count }, () => Buffer.from(bytes)));
}

const none = Buffer.alloc(0);

describe('items of a message before it is decoded (open-points 1.9)', () => {
  it.each([
    ['CreateRole', field(2, field(2, many(1_001, 0x0a, 0))), 'TOO_MANY_ITEMS', 'role.permissions', 2],
    ['CreateRole', field(2, field(4, many(10_001, 0x08, 1))), 'TOO_MANY_ITEMS', 'role.teamIDs', 2],
    ['CreateTeam', field(6, many(1_001, 0x08, 1)), 'TOO_MANY_ROLES', 'assignedRoleIDs', 6],
    ['CreateOutage', field(2, many(21, 0x2a, 0)), 'VALIDATION_FAILED', 'outage.tags', 2],
    ['AddContractClusters', Buffer.concat([field(3, none), field(3, many(51, 0x1a, 0))]), 'TOO_MANY_ITEMS', 'clusters[1].tags', 3],
    ['CreateContracts', field(2, field(4, many(21, 0x0a, 0))), 'TOO_MANY_ITEMS', 'contract.products', 2],
    ['CreateClientOrganization', field(1, many(1_001, 0x2a, 0)), 'TOO_MANY_ITEMS', 'params.annotations', 1],
  ])('%s: one item too many is refused', (method, message, reason, path, number) => {
    expect(excessOf(method, message)).toEqual({ reason, paths: [path], field: number });
    expect(excessOf(method, message, false)).toEqual({ reason, paths: [path], field: number });
  });

  it('as many as there may be are taken', () => {
    const role = Buffer.concat([field(2, many(1_000, 0x0a, 0)), field(4, many(10_000, 0x08, 1))]);
    expect(excessOf('CreateRole', field(2, role))).toBeUndefined();
  });

  it('numbers count alike, together and one by one', () => {
    expect(excessOf('CreateTeam', field(6, many(1_001, 0x08, 1)))).toMatchObject({ reason: 'TOO_MANY_ROLES' });
    expect(excessOf('CreateTeam', field(6, many(1_000, 0x08, 1)))).toBeUndefined();
    expect(excessOf('CreateTeam', field(6, field(1, many(1_001, 1))))).toMatchObject({ reason: 'TOO_MANY_ROLES' });
  });

  it('all values of a direct caller count, also those of fields that nobody knows', () => {
    const unknown = many(20_001, 0x78, 1);
    expect(excessOf('ListTeams', unknown)).toEqual({ reason: 'BODY_TOO_LARGE', paths: [], field: undefined });
    expect(excessOf('ListTeams', unknown, false)).toBeUndefined();
    const permissions = field(2, field(2, many(20_000, 0x0a, 0)));
    expect(excessOf('CreateRole', permissions)).toMatchObject({ reason: 'BODY_TOO_LARGE' });
  });

  it('values behind a list that is too long count, too: they are read when it is left out', () => {
    const long = field(2, field(2, many(1_001, 0x0a, 0)));
    const excess = excessOf('CreateRole', Buffer.concat([long, many(20_000, 0x78, 1)]));
    expect(excess).toEqual({ reason: 'BODY_TOO_LARGE', paths: [], field: undefined });
    expect(excessOf('CreateRole', Buffer.concat([long, many(1_000, 0x78, 1)]))).toMatchObject({ reason: 'TOO_MANY_ITEMS' });
  });

  it('a field that is no list is given up to 100 times', () => {
    expect(excessOf('CreateRole', many(100, 0x12, 0))).toBeUndefined();
    expect(() => excessOf('CreateRole', many(101, 0x12, 0))).toThrow('field 2 is given more than 100 times');
    expect(() => excessOf('CreateRole', field(2, many(101, 0x0a, 0)), false)).toThrow(/field 1 .* times/);
  });

  it('a group is no field of a message, as deep as it stands', () => {
    const group = Buffer.from([0x83, 0x7d, 0x84, 0x7d]);
    expect(() => excessOf('ListTeams', Buffer.concat([field(1, Buffer.from('acme')), group]))).toThrow(/group/);
    expect(() => excessOf('CreateRole', field(2, field(2, group)), false)).toThrow(/group/);
  });

  it('what is not well formed, or nested too deeply, is no message', () => {
    // A list nested in lists, 300 levels deep: field 6 of `Value`, field 1 of `ListValue`.
    let deep: Buffer = Buffer.alloc(0);
    for (let depth = 0; depth < 300; depth += 1) deep = field(1, field(6, deep));
    const value = surface.methods.flatMap(({ input }) => input.fields)
      .flatMap(({ message }) => message?.fields ?? []).map(({ message }) => message)
      .find((message) => message?.typeName === 'google.protobuf.Struct')!.fields[0]!.message!;
    expect(() => itemCounter(value)(field(6, deep), allowanceOf({ fromService: false }))).toThrow(/deeper/);
    expect(() => excessOf('CreateRole', Buffer.from([0x12, 0x7f, 1]))).toThrow();
  });

  it('a field is left out alone', () => {
    const org = field(1, Buffer.from('acme'));
    const message = Buffer.concat([field(2, many(3, 0x0a, 0)), org, field(2, none)]);
    expect(withoutField(message, 2)).toEqual(org);
  });
});

describe('lists of requests', () => {
  it('declare how many items they may have', () => {
    const open: string[] = [];
    for (const { access, input, fullName } of surface.methods) {
      if (access.who !== 'internal') undeclared(input, fullName, new Set(), open);
    }
    expect(open).toEqual([]);
  });
});

/** Adds lists without a limit to `open`. Lists in Google's messages need no limit: their items count as values. */
function undeclared(type: DescMessage, where: string, seen: Set<DescMessage>, open: string[]): void {
  if (seen.has(type) || type.file.name.startsWith('google/')) return;
  seen.add(type);
  for (const field of type.fields) {
    const isList = field.fieldKind === 'list' || field.fieldKind === 'map';
    if (isList && itemLimit(field) === undefined) open.push(`${where}: ${type.typeName}.${field.name}`);
    if (field.message) undeclared(field.message, where, seen, open);
  }
}
