import { defaulted, given, type Setting } from './setting.ts';
import { listOf, secret, text } from './setting-kinds.ts';

/** Settings of the cluster agent (`platform agent`). */
export const agentSettings = {
  'agent.kubeconfig': given(text, 'Path of the kubeconfig of the cluster that the agent watches.'),
  'agent.creds': given(text, 'Path of the `.creds` file with the bus credentials of the cluster and product.'),
  'agent.owner': given(text, 'Name of the organization that the cluster belongs to.'),
  'agent.product': given(text, 'Name of the product for which the agent reports, such as `productdb-enterprise`.'),
  'agent.license': given(text, 'Path of the licence (PEM). A renewal replaces the file.'),
  'agent.resources': defaulted(
    listOf(text), '',
    'Kubernetes kinds to report in addition to Deployment, StatefulSet and DaemonSet, each `GROUP/VERSION/KIND`.',
  ),
  'agent.state': given(
    text, 'Folder in which the agent stores what it has reported, and the events that the bus has not accepted yet.',
  ),
  'agent.token': given(
    secret, 'Access token of the organization, to renew the licence at `http.baseURL`. Unset: no renewal.',
  ),
} as const satisfies Readonly<Record<string, Setting<unknown>>>;
