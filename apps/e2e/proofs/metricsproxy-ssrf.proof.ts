import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { AddressRefused, createOutbound } from '@platform/outbound';
import { deadlineIn } from '@platform/service';
import { type ProofOptions, type ProofResult, seeded } from '@platform/testing';
import {
  bearer, type ClusterOwner, type MetricsWorld, ok, queryOf, register, startMetricsWorld,
} from '../src/metricsproxy/metrics-world.ts';
import { outcome } from '../src/orgs/world.ts';

export const name = 'metricsproxy-ssrf';
export const describe = '300 spellings of forbidden addresses as metrics backends, redirects to them, and names that '
  + 'lead to them, at once or later: each is refused, and a canary on all addresses of this machine sees no connection.';
export const servers = true;

const forbidden = [
  '127.0.0.1', '127.0.0.2', '127.255.255.254', '127.1.2.3', '0.0.0.0', '169.254.169.254', '169.254.1.1',
  '100.100.100.200', '224.0.0.1', '10.9.8.7',
] as const;
/** The only loopback address that is permitted; the redirecting backend listens there. */
const permitted = '127.77.0.1';

/** All ways to write an IPv4 address in a URL that some parser accepts. */
function spellingsOf(address: string): string[] {
  const bytes = address.split('.').map(Number) as [number, number, number, number];
  const [a, b, c, d] = bytes;
  const number = bytes.reduce((sum, byte) => sum * 256 + byte, 0);
  const [high, low] = [(number >>> 16).toString(16), (number & 0xffff).toString(16)];
  const octal = (byte: number) => `0${byte.toString(8)}`;
  const hex = (byte: number) => `0x${byte.toString(16)}`;
  const each = (write: (character: string) => string) => [...address].map(write).join('');
  return [
    address, `${address}.`, String(number), `0x${number.toString(16)}`, `0X${number.toString(16)}`, `0${number.toString(8)}`,
    bytes.map(octal).join('.'), bytes.map(hex).join('.'), `${octal(a)}.${b}.${hex(c)}.${d}`, `00000${octal(a)}.${b}.${c}.${d}`,
    `${a}.${b}.${c * 256 + d}`, `${a}.${(b * 256 + c) * 256 + d}`, `${hex(a)}.${(b * 256 + c) * 256 + d}`,
    `[::ffff:${address}]`, `[::ffff:${high}:${low}]`, `[0:0:0:0:0:ffff:${address}]`, `[::FFFF:${high}:${low}]`,
    `[::${address}]`, `[::${high}:${low}]`, `[64:ff9b::${address}]`, `[64:ff9b::${high}:${low}]`,
    `[2002:${high}:${low}::]`, `[::ffff:0:${address}]`, `[2001:db8::5efe:${address}]`,
    each((character) => (character === '.' ? '。' : character)),
    each((character) => (character === '.' ? character : String.fromCodePoint(0xff10 + Number(character)))),
    each((character) => `%${character.charCodeAt(0).toString(16)}`),
    `example.org@${address}`, `example.org:80@${address}`, `%65xample.org@${address}`,
  ];
}

const others = [
  'localhost', 'LOCALHOST', 'localhost.', 'ip6-localhost', 'ip6-loopback', 'localhost.localdomain', '[::1]', '[::]',
  '[0:0:0:0:0:0:0:1]', '[::1%25lo]', '[fe80::1]', '[fe80::1%25eth0]', '[fd00:ec2::254]', '[ff02::1]',
];

export async function prove({ seed, share, report }: ProofOptions): Promise<ProofResult> {
  const random = seeded(seed);
  const connections: string[] = [];
  const canary = createServer((socket: Socket) => {
    connections.push(`${socket.remoteAddress} → ${socket.localAddress}`);
    socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
  });
  const port = await listening(canary, '::');
  await using world = await startMetricsWorld({ settings: { 'metricsproxy.allowedCIDRs': `${permitted}/32` } });
  const owner = await world.owner();
  const all = random.shuffle([...forbidden.flatMap(spellingsOf), ...others]);
  const hosts = all.slice(0, Math.max(15, Math.round(all.length * share)));
  const wrong: string[] = [];
  const seen = (what: string) => wrong.push(...connections.splice(0).map((way) => `${what}: the canary saw ${way}`));

  for (const [index, host] of hosts.entries()) {
    const url = `http://${host}:${port}/`;
    const refusal = await refusalOf(world, owner, url);
    if (refusal !== '400 invalid_value' && refusal !== '502 bad_upstream') wrong.push(`${url}: ${refusal}`);
    seen(url);
    if (index % 100 === 99) report(`${index + 1} of ${hosts.length} spellings`);
  }
  const redirected = hosts.filter((host) => !host.includes('@'));
  wrong.push(...await redirects(world, owner, redirected.map((host) => `http://${host}:${port}/`)));
  seen('redirects');
  const names = await leadingNames(port);
  wrong.push(...names.wrong);
  seen('names');
  canary.close();
  return {
    figure: `${hosts.length} spellings, ${redirected.length} redirects and ${names.tried} names, ${wrong.length} wrong`,
    holds: wrong.length === 0, counterexamples: wrong.slice(0, 20),
  };
}

/** The refusal of a backend: at its registration or, if its name does not resolve then, at a query. */
async function refusalOf(world: MetricsWorld, { boss, cluster, identity }: ClusterOwner, url: string): Promise<string> {
  const put = outcome(await boss.http.post(register, { json: { backend: { url }, clusterUID: cluster.uid } }));
  return put === '200' ? outcome(await world.queries[0].get(queryOf(identity), bearer(boss.token))) : put;
}

/** A permitted backend answers with redirects to these addresses; none may be followed. */
async function redirects(
  world: MetricsWorld, { boss, cluster, identity }: ClusterOwner, targets: readonly string[],
): Promise<string[]> {
  const statuses = [301, 302, 303, 307, 308];
  let next = 0;
  const server = createHttpServer((_, response) => {
    response.writeHead(statuses[next % statuses.length]!, { Location: encodeURI(targets[next]!) }).end();
  });
  const url = `http://${permitted}:${await listening(server, permitted)}/`;
  ok(await boss.http.post(register, { json: { backend: { url }, clusterUID: cluster.uid } }));
  const wrong: string[] = [];
  for (; next < targets.length; next += 1) {
    const answer = outcome(await world.queries[0].get(queryOf(identity), bearer(boss.token)));
    if (answer !== '502 bad_upstream') wrong.push(`redirect to ${targets[next]}: ${answer}`);
  }
  server.closeAllConnections();
  server.close();
  return wrong;
}

/** Names whose addresses the proof controls, with the same client that the service uses. */
async function leadingNames(port: number): Promise<{ tried: number; wrong: string[] }> {
  const server = createHttpServer((_, response) => response.end('permitted'));
  const permittedPort = await listening(server, permitted);
  const wrong: string[] = [];
  const cases = forbidden.flatMap((address) => {
    const [mapped, good] = [`::ffff:${address}`, permitted];
    // The addresses of the name at its registration and at each connection.
    return [
      [[address]], [[mapped]], [[good, address]], [[address, good]], [[good, mapped]], [[good], [address]],
      [[good], [good, address]], [[good], [mapped]],
    ];
  });
  for (const answers of cases) {
    const leads = answers.map(String).join(', then ');
    let asked = 0;
    const outbound = createOutbound({
      allowed: [`${permitted}/32`], denied: ['10.9.0.0/16'], privateNetworks: true, keepAlive: true,
      resolve: async () => answers[Math.min(asked++, answers.length - 1)]!,
    });
    const url = `http://customer.example:${port}/`;
    const sent = await outbound.check(url, deadlineIn(5_000)).then(() => outbound.send(url, { deadline: deadlineIn(5_000) }))
      .then(() => 'an answer', (error: unknown) => error);
    if (!(sent instanceof AddressRefused)) wrong.push(`${leads}: ${String(sent)}`);
  }
  // A kept connection keeps its checked address; the next connection is checked again.
  let leadsTo = permitted;
  const outbound = createOutbound({
    allowed: [`${permitted}/32`], privateNetworks: true, keepAlive: true, resolve: async () => [leadsTo],
  });
  const ask = async () => {
    const { body } = await outbound.send(`http://customer.example:${permittedPort}/`, { deadline: deadlineIn(5_000) });
    return text(body);
  };
  const first = await ask();
  leadsTo = '127.0.0.1';
  const kept = await ask().catch((error: unknown) => error);
  server.closeAllConnections();
  // The first call may still use the connection that is being closed.
  await ask().catch(() => undefined);
  const later = await ask().catch((error: unknown) => error);
  const isRight = first === 'permitted' && (kept === 'permitted' || kept instanceof AddressRefused) && later instanceof AddressRefused;
  if (!isRight) wrong.push(`over kept connections: ${String([first, kept, later])}`);
  server.close();
  return { tried: cases.length + 1, wrong };
}

async function listening(server: Server, host: string): Promise<number> {
  server.listen(0, host);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
