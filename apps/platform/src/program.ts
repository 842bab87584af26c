import { Command, CommanderError } from 'commander';
import { platformVersion } from '@platform/service/basics';
import { explain, UsageFault } from './command-fault.ts';
import type { Environment } from './launcher/settings.ts';
import { addAdmin } from './admin-program.ts';
import { addPeople } from './people-program.ts';
import { visible } from './visible.ts';
import type { PrepareOptions } from './commands/prepare.ts';
import type { LabUpOptions } from './commands/lab.ts';
import type { LabOidcOptions } from './commands/lab-oidc.ts';
import {
  type CommonOptions, json, output, parseNames, parseOwner, parseSeed, wholeNumber, withServer,
} from './options.ts';

/**
 * Runs the operator's command line.
 * @returns the exit code: 0 done, 1 refused or failed, 2 wrong usage (operator.md §3)
 */
export async function run(argv: readonly string[], environment: Environment): Promise<number> {
  // A reader that closes early, as `head` does, is no failure of the command.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  try {
    await createProgram(environment).parseAsync(argv, { from: 'user' });
    return 0;
  } catch (error) {
    // Commander has said itself what is wrong with the call, or has printed the help that was asked for.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    process.stderr.write(`${visible(explain(error))}\n`);
    return error instanceof UsageFault ? 2 : 1;
  }
}

function createProgram(environment: Environment): Command {
  const program = new Command('platform')
    .description('Starts the platform and looks after it.')
    .version(platformVersion, '--version')
    .exitOverride()
    .showSuggestionAfterError()
    // For `platform api OPERATION --flags`.
    .enablePositionalOptions()
    // Inherited by every command made below.
    .allowExcessArguments(false)
    .hook('preAction', (_program, command) => refuseEmpty(command))
    .configureOutput({ outputError: (text, write) => write(`${text.trim().replaceAll(/\s*\n\s*/g, ' ')}\n`) });
  addUp(program, environment);
  addStatus(program, environment);
  addDoctor(program, environment);
  addSeed(program, environment);
  addLab(program, environment);
  addDeployment(program, environment);
  addAgent(program, environment);
  addAdmin(program, environment);
  addPeople(program, environment);
  return program;
}

/**
 * An empty value is a variable of a script that is not set. It never counts as left out, which could mean all accounts.
 * @throws UsageFault
 */
function refuseEmpty(command: Command): void {
  const empty = command.options.find((option) => {
    const name = option.attributeName();
    return command.getOptionValue(name) === '' && command.getOptionValueSource(name) === 'cli';
  });
  if (empty) throw new UsageFault(`${empty.long} is empty`, 'Give it a value, or leave it out.');
  if (command.args.includes('')) throw new UsageFault('An argument is empty', 'See --help for the arguments.');
}

function addUp(program: Command, environment: Environment): void {
  program.command('up')
    .description('Runs the whole platform on this machine, in the foreground, until Ctrl-C.')
    .option('--port <port>', 'port of the REST API (PLATFORM_HTTP_PORT); default a free one', wholeNumber(0, 65_535))
    .option('--reset', 'start again: all data, secrets and logs of this state are removed', false)
    .addOption(json())
    .action(async ({ json: asJson, ...options }: { port?: number; reset: boolean } & CommonOptions) => {
      const { up } = await import('./commands/up.ts');
      await up(options, environment, output(asJson));
    });
}

function addStatus(program: Command, environment: Environment): void {
  program.command('status')
    .description('Shows where the platform answers and how each part stands.')
    .addOption(json())
    .action(async (options: CommonOptions) => {
      const { status } = await import('./commands/status.ts');
      await status(environment, output(options.json));
    });
}

function addDoctor(program: Command, environment: Environment): void {
  withServer(program.command('doctor'))
    .description('Checks machine, settings, servers, migrations, model, and whether the engine agrees with the rows.')
    .option('--repair', 'put the authorization engine in line with the rows first')
    .action(async ({ json: asJson, ...options }: CommonOptions) => {
      const { doctor } = await import('./commands/doctor.ts');
      await doctor(options, environment, output(asJson));
    });
}

function addSeed(program: Command, environment: Environment): void {
  const count = wholeNumber(0, 1_000_000);
  withServer(program.command('seed'))
    .description('Fills the site with users, organizations and what they have; planted again, a seed changes nothing.')
    .option('--users <count>', 'users of the site', count, 100)
    .option('--organizations <count>', 'organizations of the site', count, 5)
    .option('--teams <count>', 'teams of each organization, Owners, Editors and Viewers among them', count, 5)
    .option('--members <count>', 'members of each organization, its owner among them; default 20 or all', count)
    .option('--clusters <count>', 'clusters of each organization', count, 2)
    .option('--contracts <count>', 'contracts of each organization, to which its clusters are bound', count, 1)
    .option('--objects <count>', 'database objects of each cluster', count, 0)
    .option('--months <count>', 'over how many months their life is spread', wholeNumber(1, 24), 1)
    .option('--seed <text>', 'what all names follow from: up to 12 letters and digits', parseSeed, '1')
    .action(async ({ json: asJson, server, tokenFile, ...given }) => {
      const { seed } = await import('./commands/seed.ts');
      const size = { ...given, members: given.members ?? Math.min(20, given.users) };
      await seed(size, { server, tokenFile }, environment, output(asJson));
    });
}

function addLab(program: Command, environment: Environment): void {
  const lab = program.command('lab')
    .description('Real clusters and a provider of sign-ins, to develop and test against.');
  lab.command('up')
    .description('Runs a hub with Open Cluster Management and joined spokes, in the foreground, until Ctrl-C.')
    .option('--spokes <count>', 'clusters that join the hub', wholeNumber(0, 20), 2)
    .option('--nodes', 'the first spoke has a real node (kubelet, containerd); says what that lacks here', false)
    .addOption(json())
    .action(async ({ spokes, nodes }: LabUpOptions & CommonOptions) => {
      const { labUp } = await import('./commands/lab.ts');
      // The answer is a JSON line either way; progress goes to standard error.
      await labUp({ spokes, nodes }, environment, output(true));
    });
  lab.command('oidc')
    .description('Runs a provider of OpenID Connect with three people, in the foreground, until Ctrl-C.')
    .option('--port <port>', 'the port it listens on, on loopback', wholeNumber(1, 65_535), 7_654)
    .option('--base-url <url>', 'address of the platform; default that of the running one')
    .addOption(json())
    .action(async ({ port, baseUrl }: LabOidcOptions & CommonOptions) => {
      const { labOidc } = await import('./commands/lab-oidc.ts');
      await labOidc({ port, baseUrl }, environment, output(true));
    });
}

function addDeployment(program: Command, environment: Environment): void {
  program.command('prepare')
    .description('Makes the secrets of a deployment in containers, once, and writes what each part of it must know.')
    .option('--folder <path>', 'each part gets a folder in it')
    .option('--owner <user:group>', 'numeric owner of the files in it', parseOwner)
    .option('--kubernetes <prefix>', 'in a pod: each part gets a Secret of this namespace, named {prefix}-{part}')
    .option('--parts <names>', 'only these parts, separated by commas; the others are left out', parseNames)
    .addOption(json())
    .action(async ({ json: asJson, ...options }: PrepareOptions & CommonOptions) => {
      const { prepare } = await import('./commands/prepare.ts');
      await prepare(options, environment, output(asJson));
    });
  program.command('migrate')
    .description('Makes databases, roles and schemas that are missing, and brings every schema up to date.')
    .addOption(json())
    .action(async ({ json: asJson }: CommonOptions) => {
      const { migrateAll } = await import('./commands/migrate.ts');
      await migrateAll(environment, output(asJson));
    });
}

function addAgent(program: Command, environment: Environment): void {
  program.command('agent')
    .description('Runs the agent of a cluster in the foreground: it reports objects and answers questions for them.')
    .requiredOption('--kubeconfig <path>', 'of the cluster')
    .requiredOption('--creds <path>', 'of the cluster and product on the bus, as `admin bus-account create` shows them')
    .requiredOption('--owner <name>', 'the organization that the cluster belongs to')
    .requiredOption('--product <name>', 'the product that reports, such as productdb-enterprise')
    .requiredOption('--license <path>', 'the licence (PEM); it is renewed in place')
    .option('--resources <kinds>', 'further kinds to report, each GROUP/VERSION/KIND, separated by commas', '')
    .option('--license-token-file <path>', 'file with an access token to renew the licence; default one made for it')
    .addOption(json())
    .action(async ({ json: asJson, ...options }) => {
      const { runAgent } = await import('./commands/agent.ts');
      await runAgent(options, environment, output(asJson));
    });
}
