// Runs before an upgrade and a rollback (ADR 0276). If the API server would refuse a change of a claim, it fails before
// anything is changed. It resets numbers of pods that somebody changed by hand, because Helm with server-side
// apply would report a conflict (ADR 0283). A service whose autoscaling begins keeps its number of pods.
import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

/** A network policy may permit the connection only some seconds after the pod has started. */
const patienceMs = 60_000;
const callMs = 10_000;

const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port, PLAN, TOKEN_FILE } = process.env;
const { namespace, claims, pods } = JSON.parse(PLAN);
const origin = `https://${host.includes(':') ? `[${host}]` : host}:${port}`;
const end = Date.now() + patienceMs;

/** Sends one request; repeats it while the API server does not answer or is busy. */
async function call(method, path, object) {
  for (;;) {
    const problem = await attempt(method, path, object).catch((error) => error);
    if (!(problem instanceof Error)) return problem;
    if (Date.now() > end) throw problem;
    await pause(1_000);
  }
}

async function attempt(method, path, object) {
  const token = await readFile(TOKEN_FILE, 'utf8');
  const response = await fetch(origin + path, {
    method,
    headers: { 'authorization': `Bearer ${token.trim()}`, 'content-type': 'application/apply-patch+yaml' },
    signal: AbortSignal.timeout(callMs),
    ...(object === undefined ? {} : { body: JSON.stringify(object) }),
  });
  const answer = await response.json();
  if (response.status === 429 || response.status >= 500) throw new Error(`${method} ${path}: ${answer.message}`);
  return { status: response.status, answer };
}

function require200(path, { status, answer }) {
  if (status !== 200) throw new Error(`${path}: status ${status}: ${answer.message}`);
  return answer;
}

/** Applies a claim as a dry run, in the form that Helm would write. Returns one line for each refused value. */
async function problemsOf({ name, spec, values }) {
  const path = `/api/v1/namespaces/${namespace}/persistentvolumeclaims/${name}`;
  const found = await call('GET', path);
  if (found.status === 404) return [];
  const before = fieldsOf(require200(path, found).spec);
  const { status, answer } = await call('PATCH', `${path}?dryRun=All&fieldManager=helm&force=true`, {
    apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name }, spec,
  });
  if (status === 200) return [];
  const wanted = fieldsOf(spec);
  const named = Object.keys(values).filter((field) => wanted[field] !== '' && wanted[field] !== before[field]);
  const [why] = answer.message.split('\n');
  return (named.length > 0 ? named : Object.keys(values).filter((field) => wanted[field] !== before[field]))
    .map((field) => `${values[field]} is ${wanted[field] || 'empty'}, but the claim ${name} has ${before[field]}: ${why}`);
}

function fieldsOf({ accessModes, storageClassName = '', resources }) {
  return { accessModes: accessModes.join(', '), storageClassName, storage: resources.requests.storage };
}

/**
 * Makes `platform-replicas` an owner of the number of pods. If the values contain a number, this owner sets it, even if
 * another owner has set a different number. Helm then applies the same number without a conflict. If the values contain
 * no number, the number stays: Helm gives the field up when autoscaling begins, and without an owner it would become 1.
 */
async function ownPods({ kind, name, replicas }) {
  const path = `/apis/apps/v1/namespaces/${namespace}/${kind}/${name}/scale`;
  for (;;) {
    const found = await call('GET', path);
    if (found.status === 404) return [];
    const { replicas: before = 0 } = require200(path, found).spec;
    if (before === replicas) return [];
    const owned = await call('PATCH', `${path}?fieldManager=platform-replicas&force=${replicas !== undefined}`, {
      apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name, namespace },
      spec: { replicas: replicas ?? before },
    });
    // The number has changed since it was read.
    if (owned.status === 409 && Date.now() < end) continue;
    require200(path, owned);
    return [replicas === undefined ? `${name} keeps ${before}` : `${name} from ${before} to ${replicas}`];
  }
}

const problems = (await Promise.all(claims.map(problemsOf))).flat();
if (problems.length > 0) {
  console.error(`Nothing was changed. The cluster refuses these values:\n- ${problems.join('\n- ')}`);
  process.exitCode = 1;
} else {
  const owned = (await Promise.all(pods.map(ownPods))).flat();
  console.log(`${claims.length} claims checked; pods: ${owned.join(', ') || 'as the values say'}`);
}
