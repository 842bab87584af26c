import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { answerSubject, eventRefusals, eventSubject, memberRequestSubject } from '@platform/bus';
import { root } from '../checks/run-command.ts';

/** Parts of apps that this page shows. They are loaded by path, because other projects must not import apps. */
interface Tables {
  readonly eventKinds: Readonly<Record<string, {
    readonly demands: { readonly objectClass: string; readonly relation: string } | 'site'; readonly scope: string;
  }>>;
  cloudEvent(event: object, domain: string, time: Date): string;
  eventContent(reporter: object, kind: object, resource: object): object;
  readonly parkedReasons: Readonly<Record<string, string>>;
}

const files = [
  'orgs-teams/src/events/kinds.ts', 'cluster-agent/src/events/cloud-event.ts',
  'billing-dashboard/src/ingest/parked-events.ts',
];
const member = {
  ownerId: 21, clusterUid: '6f9d3c0e-5b1a-4f0e-9c5e-2f6f3f1b7a10', productName: 'productdb-enterprise',
};
const introduction = `# Events

Made from the tables of the source code by \`npm run generate -- --golden\`. There are two kinds of events: events that the platform sends to
[webhooks](webhooks.md), and events that the [agents](cluster-agent.md) in clusters send to the platform over NATS.
`;

/** Returns docs/events.md. */
export async function eventsPage(): Promise<string> {
  const loaded = await Promise.all(files.map((file) => import(pathToFileURL(join(root, 'apps', file)).href)));
  const tables = Object.assign({}, ...loaded) as Tables;
  return `${[introduction.trimEnd(), webhooks(tables), bus(tables)].join('\n\n')}\n`;
}

function webhooks({ eventKinds }: Tables): string {
  const rows = Object.entries(eventKinds).map(([kind, { demands, scope }]) => {
    const right = demands === 'site' ? 'site admins' : `\`${demands.relation}\` on the ${demands.objectClass}`;
    return [`\`${kind}\``, right, `\`${scope}\``];
  });
  return [
    '## Events of webhooks',
    'The body is a CloudEvent 1.0. Events of one `subject` are delivered in order. At each delivery, the\n'
    + 'account that last added or changed the endpoint needs the right and the scope. [Webhooks](webhooks.md#events)\n'
    + 'says when each event is sent, with its `subject` and `data`.',
    table(['`type`', 'needed right', 'scope of the token'], rows),
  ].join('\n\n');
}

function bus({ cloudEvent, eventContent, parkedReasons }: Tables): string {
  const reporter = { domain: 'platform.example.org', productName: member.productName, licenceId: '4711' };
  const kind = { group: 'apps', version: 'v1', name: 'deployments', kind: 'Deployment', scope: 'Namespaced' };
  const content = eventContent(reporter, kind, { apiVersion: 'v1', kind: 'GenericResource' });
  const time = new Date('2026-11-21T09:30:00Z');
  const event = (action: string): string => cloudEvent({
    ...content, action, uid: '0b9b6a2e-77b3-44f8-a2a1-6f0f6f0c1d2e', generation: 3, since: time.getTime(),
  }, reporter.domain, time);
  const typeOf = (action: string): string => `\`${(JSON.parse(event(action)) as { type: string }).type}\``;
  return [
    '## Events of the bus',
    `The credentials of an agent are valid only for subjects of its organization, cluster and product (here organization ${member.ownerId}).`,
    table(['subject', 'what', 'from', 'to'], [
      [`\`${eventSubject(member, 1)}\``, 'an event of an object, sent as a request', 'agent', 'platform'],
      [`\`${memberRequestSubject(member)}\``, 'a question about resources', 'platform', 'agent'],
      [`\`${answerSubject(member, '<request>')}\``, 'the answer, in numbered pieces', 'agent', 'platform'],
    ]),
    'An event is a CloudEvent 1.0. Its type begins with the setting `labels.domain` in reverse order. `id` is the uid\n'
    + 'and the generation of the object. `since` is when the object got into this state.',
    table(['`type`', 'when'], [
      [typeOf('created'), 'the agent sees the object for the first time'],
      [typeOf('updated'), 'the object changes, and every hour while it exists'],
      [typeOf('deleted'), 'the object is gone'],
    ]),
    `\`\`\`json\n${JSON.stringify(JSON.parse(event('created')), undefined, 2)}\n\`\`\``,
    '### Refused events',
    'The reply comes after the event is stored. A refusal is an empty message with the status 503, the reason in\n'
    + 'headers and `Retry-After` in seconds; agents send the event again later. `member_events_refused_total`\n'
    + '([metrics](metrics.md)) counts refusals by `reason`:',
    table(['`reason`', 'meaning'], Object.entries(eventRefusals).map(([reason, meaning]) => [`\`${reason}\``, meaning])),
    '### Parked events',
    'A stored event that cannot be counted at its time is parked. `./platform admin parked-events list` shows parked\n'
    + 'events, and `./platform admin parked-events replay` processes them again.',
    table(['`reason`', 'meaning'], Object.entries(parkedReasons).map(([reason, meaning]) => [`\`${reason}\``, meaning])),
  ].join('\n\n');
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}
