import { type Config as ConfigOf, optional, servicePicks } from '@platform/service';

export const picks = {
  ...servicePicks,
  kubeconfig: 'agent.kubeconfig',
  credentials: 'agent.creds',
  owner: 'agent.owner',
  product: 'agent.product',
  licence: 'agent.license',
  resources: 'agent.resources',
  state: 'agent.state',
  token: optional('agent.token'),
  busUrl: 'nats.url',
  busShards: 'bus.shards',
  baseUrl: optional('http.baseURL'),
  labelsDomain: 'labels.domain',
} as const;

export type Config = ConfigOf<typeof picks>;
