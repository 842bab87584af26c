import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Member, memberOf } from '@platform/bus';
import { AdminServiceService } from '@platform/proto/orgs/v1/admin';
import { environmentName, optional, readConfig, type SettingKey, silentLogger } from '@platform/service';
import { CommandFault, explain } from '../command-fault.ts';
import { readGiven } from '../given-file.ts';
import { stateHome } from '../home.ts';
import type { Environment } from '../settings.ts';
import { listenForStop } from '../stop-request.ts';
import type { Output } from '../output.ts';
import { writePrivately } from '../private-file.ts';
import { readRunFile } from '../run-file.ts';
import { busAddress } from './bus-address.ts';
import { connectOperator, operatorCall } from '../operator-client.ts';

interface AgentOptions {
  readonly kubeconfig: string;
  readonly creds: string;
  readonly owner: string;
  readonly product: string;
  readonly license: string;
  /** Kinds to report besides Deployments, StatefulSets and DaemonSets: `GROUP/VERSION/KIND`, separated by commas. */
  readonly resources: string;
  readonly licenseTokenFile?: string;
}

const main = join(import.meta.dirname, '../../../cluster-agent/src/main.ts');

/**
 * `platform agent`: runs the cluster agent in the foreground until a signal. The output of the agent goes to standard
 * error. The setting `http.baseURL` gives the platform's address. Without this setting, uses the address in the run
 * file.
 * @throws ConfigError; CommandFault, for example when the agent ends by itself, or with an exit code other than 0
 */
export async function runAgent(options: AgentOptions, environment: Environment, output: Output): Promise<void> {
  const stop = listenForStop();
  const member = await readMember(options);
  const home = stateHome(environment);
  const state = join(home, 'agents', `${member.clusterUid}.${member.productName}`);
  await mkdir(state, { recursive: true, mode: 0o700 });
  const run = await readRunFile(home);
  const { baseUrl } = readConfig({ baseUrl: optional('http.baseURL') }, { environment, log: silentLogger });
  const given: { readonly [Key in SettingKey]?: string | undefined } = {
    home,
    'agent.kubeconfig': resolve(options.kubeconfig),
    'agent.creds': resolve(options.creds),
    'agent.owner': options.owner,
    'agent.product': options.product,
    'agent.license': resolve(options.license),
    'agent.resources': options.resources,
    'agent.state': state,
    'nats.url': await busAddress(environment),
    'http.baseURL': baseUrl ?? run?.baseUrl,
  };
  const settings = Object.entries(given).filter(([, text]) => text !== undefined)
    .map(([key, text]) => [environmentName(key), text]);
  const tokenFile = await findToken(options, state, environment, output);
  const child = fork(main, {
    execArgv: [],
    // Ctrl-C in the terminal must not reach the agent. This process sends SIGTERM to the agent.
    detached: true,
    stdio: ['ignore', 2, 2, 'ipc'],
    env: {
      ...environment,
      ...Object.fromEntries(settings) as Record<string, string>,
      ...(tokenFile !== undefined && { [`${environmentName('agent.token')}_FILE`]: tokenFile }),
      ...(run?.tls !== undefined && { NODE_EXTRA_CA_CERTS: run.tls.ca }),
    },
  });
  child.once('message', () => {
    const { clusterUid, productName: product } = member;
    output.answer({ owner: options.owner, clusterUid, product }, () => [`The agent reports objects of the cluster ${clusterUid}.`]);
  });
  void stop.requested.then(() => child.kill('SIGTERM'));
  const [code] = await once(child, 'exit') as [number | null];
  if (code !== 0 || !stop.signal.aborted) {
    throw new CommandFault(`The agent ended ${code === null ? 'by a signal' : `with code ${code}`}`, 'See its last messages above.');
  }
}

async function readMember({ creds, product }: AgentOptions): Promise<Member> {
  const text = await readGiven(creds, 'Name another file with --creds.');
  const cure = 'Create credentials with `platform admin bus-account create`.';
  let member: Member;
  try {
    member = memberOf(text);
  } catch {
    throw new CommandFault(`${creds} contains no credentials of a cluster`, cure);
  }
  if (member.productName === product) return member;
  throw new CommandFault(`${creds} has credentials for the product ${member.productName}, not for ${product}`, cure);
}

/**
 * Returns the path of the file with the access token for renewals of the licence. Without `--license-token-file`, the
 * file is in the agent's state folder. If that file is missing, creates the file and a new token. Returns undefined if
 * the creation fails.
 */
async function findToken(
  { licenseTokenFile, owner }: AgentOptions, state: string, environment: Environment, output: Output,
): Promise<string | undefined> {
  if (licenseTokenFile !== undefined) return resolve(licenseTokenFile);
  const kept = join(state, 'token');
  if (existsSync(kept)) return kept;
  try {
    await using service = await connectOperator(AdminServiceService, 'orgs-teams', {}, environment);
    const request = { user: '', organization: owner, name: 'cluster-agent', expiresInSeconds: 0 };
    const { token } = await service.createToken(request, operatorCall());
    await writePrivately(kept, `${token}\n`);
    return kept;
  } catch (error) {
    const because = 'because no access token could be created and stored';
    output.say(`The licence will not be renewed, ${because}. ${explain(error)}`);
    return undefined;
  }
}
