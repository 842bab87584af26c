import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Secret } from '@platform/service';
import { testPostgres } from '@platform/testing';
import { connect } from './connect.ts';
import { PostgresUnavailable } from './errors.ts';
import { createDatabaseFromTemplate, dropDatabase, provision, provisionDatabase } from './provision.ts';
import { urlWith } from './server-config.ts';
import { sql } from './sql.ts';

let superuserUrl: string;
let database: string;
let roles: string[];

beforeEach(async () => {
  superuserUrl = await testPostgres();
  database = `spec_${randomUUID().replaceAll('-', '').slice(0, 12)}`;
  roles = [];
});

afterEach(async () => {
  await dropDatabase({ superuserUrl, name: database });
  await dropDatabase({ superuserUrl, name: `${database}_copy` });
  await using administrator = connect({ url: superuserUrl, applicationName: 'spec' });
  for (const role of roles) await administrator.execute(sql`drop role if exists ${sql.identifier(role)}`);
});

async function provisionTwo(password?: Secret) {
  const services = [{ service: 'orgs-teams', ...(password === undefined ? {} : { password }) }, { service: 'authz' }];
  const provisioned = await provision({ superuserUrl, database, services });
  roles.push(...provisioned.map(({ role }) => role));
  const [orgsTeams, authz] = provisioned;
  if (orgsTeams === undefined || authz === undefined) throw new TypeError('a service is missing');
  return { orgsTeams, authz };
}

describe('provision', () => {
  it('gives each service a role that can use its own schema and no other', async () => {
    const { orgsTeams, authz } = await provisionTwo();
    await using own = connect({ url: orgsTeams.url, schema: orgsTeams.schema, applicationName: 'spec' });
    await using other = connect({ url: authz.url, schema: authz.schema, applicationName: 'spec' });

    await own.execute(sql`create table account (id int8)`);

    expect(await own.query(sql`select * from account`)).toEqual([]);
    await expect(other.query(sql`select * from orgs_teams.account`)).rejects.toMatchObject({ code: '42501' });
    await expect(other.execute(sql`create table orgs_teams.mine (id int8)`)).rejects.toMatchObject({ code: '42501' });
    await expect(other.execute(sql`create table public.mine (id int8)`)).rejects.toMatchObject({ code: '42501' });
    await expect(other.execute(sql`create role stranger`)).rejects.toMatchObject({ code: '42501' });
  });

  it('may be called again: data stay, given passwords stay, others are renewed', async () => {
    const password = new Secret('kept-by-the-launcher');
    const before = await provisionTwo(password);
    {
      await using own = connect({ url: before.orgsTeams.url, schema: 'orgs_teams', applicationName: 'spec' });
      await own.execute(sql`create table account (id int8)`);
    }
    const after = await provisionTwo(password);
    expect(after.orgsTeams.url.reveal()).toBe(before.orgsTeams.url.reveal());
    await using own = connect({ url: before.orgsTeams.url, schema: 'orgs_teams', applicationName: 'spec' });
    expect(await own.query(sql`select * from account`)).toEqual([]);
    await using outdated = connect({ url: before.authz.url, applicationName: 'spec' });
    await expect(outdated.query(sql`select 1`)).rejects.toThrow(PostgresUnavailable);
  });

  it('may be called by several processes at once', async () => {
    const password = new Secret('the-same');
    const results = await Promise.all([provisionTwo(password), provisionTwo(password), provisionTwo(password)]);
    expect(new Set(results.map(({ orgsTeams }) => orgsTeams.url.reveal())).size).toBe(1);
  });

  it('refuses a role name that PostgreSQL would cut', async () => {
    const services = [{ service: 's'.repeat(63) }];
    await expect(provision({ superuserUrl, database, services })).rejects.toThrow(RangeError);
  });
});

describe('provisionDatabase', () => {
  it('makes a database that only its role may fill', async () => {
    const role = `${database}_engine`;
    roles.push(role);
    const { url } = await provisionDatabase({ superuserUrl, database, role });
    await using engine = connect({ url, applicationName: 'spec' });
    expect(await engine.execute(sql`create table public.tuple (id int8)`)).toBe(0);
    const again = await provisionDatabase({ superuserUrl, database, role, password: new Secret('new') });
    await using engineAgain = connect({ url: again.url, applicationName: 'spec' });
    expect(await engineAgain.query(sql`select * from public.tuple`)).toEqual([]);
  });
});

describe('copies', () => {
  it('hold what the template holds, and can be dropped while in use', async () => {
    const { orgsTeams } = await provisionTwo();
    {
      await using own = connect({ url: orgsTeams.url, schema: orgsTeams.schema, applicationName: 'spec' });
      await own.execute(sql`create table account as select 7::int8 as id`);
    }
    const name = `${database}_copy`;
    await createDatabaseFromTemplate({ superuserUrl, template: database, name });
    const url = urlWith(orgsTeams.url, { database: name });
    await using copy = connect({ url, schema: orgsTeams.schema, applicationName: 'spec' });
    expect(await copy.one(sql`select id from account`)).toEqual({ id: 7 });

    await dropDatabase({ superuserUrl, name });
    await dropDatabase({ superuserUrl, name });
    await expect(copy.query(sql`select 1`)).rejects.toThrow(PostgresUnavailable);
  });
});
