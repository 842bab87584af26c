import type { Command } from 'commander';
import type { Environment } from './settings.ts';
import { json, output, parseNames, parseOwner, parseSeed, wholeNumber, withServer } from './options.ts';

/** Adds the commands that the package `@platform/cli` does not have, such as `up`. */
export function addDeployment(program: Command, environment: Environment): void {
  program.command('up')
    .description('Runs the whole platform on this machine, in the foreground, until Ctrl-C.')
    .option('--port <port>', 'port of the REST API (PLATFORM_HTTP_PORT); default a free one', wholeNumber(0, 65_535))
    .option('--reset', 'remove all data, secrets and logs in the state folder, then start', false)
    .addOption(json())
    .action(async (options) => (await import('./commands/up.ts')).up(options, environment, output(options)));
  program.command('status')
    .description('Shows the addresses of the platform and the status of each part.')
    .addOption(json())
    .action(async (options) => (await import('./commands/status.ts')).status(environment, output(options)));
  withServer(program.command('doctor'))
    .description('Checks the machine, the settings and the parts of the platform. Compares OpenFGA with the database.')
    .option('--repair', 'before the comparison, repair OpenFGA, the id sequences and the accounts of the bus')
    .action(async (options) => (await import('./commands/doctor.ts')).doctor(options, environment, output(options)));
  addSeed(program, environment);
  addLab(program, environment);
  addSteps(program, environment);
  addAgent(program, environment);
}

function addSeed(program: Command, environment: Environment): void {
  const count = wholeNumber(0, 1_000_000);
  withServer(program.command('seed'))
    .description('Adds example users, organizations, clusters and objects. A repeated call adds what is missing.')
    .option('--users <count>', 'users of the site', count, 100)
    .option('--organizations <count>', 'organizations of the site', count, 5)
    .option('--teams <count>', 'teams of each organization, including Owners, Editors and Viewers', count, 5)
    .option(
      '--members <count>', 'members of each organization, including its owner; default 20, or all users if fewer',
      count,
    )
    .option('--clusters <count>', 'clusters of each organization', count, 2)
    .option('--contracts <count>', 'contracts of each organization, to which its clusters are bound', count, 1)
    .option('--objects <count>', 'database objects of each cluster', count, 0)
    .option('--months <count>', 'number of months in which the objects are created and deleted', wholeNumber(1, 24), 1)
    .option('--seed <text>', 'text from which all names are derived: up to 12 letters and digits', parseSeed, '1')
    .action(async (options) => {
      const size = { ...options, members: options.members ?? Math.min(20, options.users) };
      await (await import('./commands/seed.ts')).seed(size, options, environment, output(options));
    });
}

function addLab(program: Command, environment: Environment): void {
  const lab = program.command('lab')
    .description('Real clusters and an OpenID Connect provider, for development and tests.');
  lab.command('up')
    .description('Runs a hub with Open Cluster Management and joined spokes, in the foreground, until Ctrl-C.')
    .option('--spokes <count>', 'clusters that join the hub', wholeNumber(0, 20), 2)
    .option('--nodes', 'gives the first spoke a real node (kubelet, containerd); needs root and some packages', false)
    .addOption(json())
    // With and without `--json`, the answer is a JSON line. Progress goes to standard error.
    .action(async (options) => (await import('./commands/lab.ts')).labUp(options, environment, output({ json: true })));
  lab.command('oidc')
    .description('Runs an OpenID Connect provider with three users, in the foreground, until Ctrl-C.')
    .option('--port <port>', 'port of the provider on loopback', wholeNumber(1, 65_535), 7_654)
    .option('--base-url <url>', 'address of the platform; default the running platform')
    .addOption(json())
    .action(async (options) =>
      (await import('./commands/lab-oidc.ts')).labOidc(options, environment, output({ json: true })));
}

function addSteps(program: Command, environment: Environment): void {
  program.command('prepare')
    .description('Creates the missing secrets of a deployment in containers. Writes the settings of each part.')
    .option('--folder <path>', 'folder for the files; each part gets a folder in it')
    .option('--owner <user:group>', 'with --folder: numeric ids of the user and group that own the files', parseOwner)
    .option('--kubernetes <prefix>', 'in a pod: writes a Secret {prefix}-{part} per part, in the namespace of the pod')
    .option('--parts <names>', 'only these parts, separated by commas', parseNames)
    .addOption(json())
    .action(async (options) => (await import('./commands/prepare.ts')).prepare(options, environment, output(options)));
  program.command('migrate')
    .description('Migrates the schemas of services. With postgres.url, first creates missing databases and roles.')
    .addOption(json())
    .action(async (options) => (await import('./commands/migrate.ts')).migrateAll(environment, output(options)));
}

function addAgent(program: Command, environment: Environment): void {
  program.command('agent')
    .description('Runs the agent of a cluster in the foreground. It reports Kubernetes objects to the platform and '
      + 'answers questions of the platform about them.')
    .requiredOption('--kubeconfig <path>', 'kubeconfig of the cluster')
    .requiredOption('--creds <path>', 'file with the bus credentials that `admin bus-account create` printed')
    .requiredOption('--owner <name>', 'the organization that the cluster belongs to')
    .requiredOption('--product <name>', 'the product for which the agent reports, such as productdb-enterprise')
    .requiredOption('--license <path>', 'the licence (PEM); it is renewed in place')
    .option(
      '--resources <kinds>',
      'kinds to report in addition to Deployment, StatefulSet and DaemonSet: GROUP/VERSION/KIND, separated by commas',
      '',
    )
    .option('--license-token-file <path>', 'file with an access token to renew the licence; default a new token')
    .addOption(json())
    .action(async (options) => (await import('./commands/agent.ts')).runAgent(options, environment, output(options)));
}
