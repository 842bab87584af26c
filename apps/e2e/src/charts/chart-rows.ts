import { join } from 'node:path';
import { environmentName, type Optional, secretsOf, type Service, services, type SettingKey } from '@platform/service';
import { repositoryRoot } from '@platform/testing';

/** One service as the chart's templates need it. */
export interface ChartRow {
  readonly name: string;
  /** Whether it serves people over HTTP, on the port `http`. The others serve gRPC, on the port `grpc`. */
  readonly http?: true;
  /** The variable that holds its address, for services that call it. */
  readonly address?: string;
  /** Services that it calls. */
  readonly calls: readonly string[];
  /** HTTP port that the service itself serves, for paths that the gateway forwards. */
  readonly passes?: {
    readonly port: number;
    readonly address: string;
    /** The variable with the address it listens on, or with its host alone. */
    readonly listen: string;
  };
  /** The servers that it uses. */
  readonly postgres?: true;
  readonly nats?: true;
  readonly openfga?: true;
  /** Whether it stores files. */
  readonly files?: true;
  /** Whether it calls addresses outside the platform: clusters, mail servers, buckets, marketplaces. */
  readonly outside?: true;
  /** Deployment types in which it runs; absent: all. */
  readonly types?: readonly string[];
  /** Secret settings that it reads, and their variables. */
  readonly secrets: Readonly<Record<string, string>>;
}

/** Ports of the images (deploy/images/README.md). */
const passedPorts: Readonly<Record<string, number>> = { 'metricsproxy': 8082, 'marketplace-listener': 8083 };

/** Settings that name external addresses: a service that reads one of them makes external calls. */
const ofOutside: readonly SettingKey[] = [
  'files.s3.endpoint', 'mail.smtpURL', 'avatars.lookupURL', 'flavora.url', 'marketplace.centralURL',
  // The kubeconfigs of clusters are stored under these keys.
  'gateway.defaultPreset',
];

/** Deployment types with the routes of the listener (open-points 1.1, gate LISTENER). */
const listenerTypes = ['Hosted', 'ProviderAMarketplace', 'ProviderBMarketplace', 'ProviderCMarketplace'];

/** The table of services in the form of the chart: `deploy/charts/platform/services.yaml` must equal it. */
export async function chartRows(): Promise<ChartRow[]> {
  return Promise.all(services.map(async (service) => {
    const picks = await picksOf(service);
    const { name, addresses, http, passes, schema, bus, engine } = service;
    return {
      name,
      ...(http === undefined ? {} : { http }),
      ...(addresses === undefined ? {} : { address: environmentName(addresses) }),
      calls: services.filter((one) => one.addresses !== undefined && picks.has(one.addresses)).map((one) => one.name),
      ...(passes === undefined ? {} : { passes: {
        port: passedPorts[name]!,
        address: environmentName(passes.addresses as SettingKey),
        listen: environmentName(passes.listen.endsWith('.port') ? 'http.host' : passes.listen as SettingKey),
      } }),
      ...(schema === undefined ? {} : { postgres: true as const }),
      ...(bus === undefined ? {} : { nats: true as const }),
      ...(engine === undefined ? {} : { openfga: true as const }),
      ...(picks.has('files.folder') ? { files: true as const } : {}),
      ...(ofOutside.some((key) => picks.has(key)) ? { outside: true as const } : {}),
      ...(name === 'marketplace-listener' ? { types: listenerTypes } : {}),
      secrets: Object.fromEntries(secretsOf(service).map((key) => [key, environmentName(key)])),
    };
  }));
}

/** The settings that a service reads. */
async function picksOf({ name }: Service): Promise<ReadonlySet<SettingKey>> {
  const { picks } = (await import(join(repositoryRoot, 'apps', name, 'src/start.ts'))) as {
    picks: Readonly<Record<string, SettingKey | Optional<SettingKey>>>;
  };
  return new Set(Object.values(picks).map((pick) => (typeof pick === 'string' ? pick : pick.optional)));
}
