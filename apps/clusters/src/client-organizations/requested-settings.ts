import type {
  AddClusterParams, DbConfig, GatewayRef, TelemetryParams,
} from '@platform/proto/clusters/v1/client_organization';
import type { Violations } from '@platform/values';
import { noteGatewayProblems } from './gateway-rules.ts';
import { bytesOf, mostAnnotationBytes } from './sizes.ts';

interface Telemetry {
  readonly monitoringCluster: string;
  readonly logs: string;
  readonly traces: string;
  readonly metrics: { readonly raw: string; readonly fiveMinutes: string; readonly oneHour: string };
}

/** The gateway of a client organization on a cluster: its own, or one that another client organization shares. */
export type RequestedGateway =
  | { readonly kind: 'own'; readonly config: object; readonly usableAsShared: boolean }
  | {
    readonly kind: 'shared';
    readonly ref: { readonly namespace: string; readonly name: string } | 'default';
    readonly path: string;
  };

export interface ClusterSettings {
  readonly annotations: Readonly<Record<string, string>>;
  /** `dbConfig` of the request, in the JSON form that Kubernetes uses. */
  readonly dbConfig: object | undefined;
  readonly telemetry: Telemetry | undefined;
  readonly gateway: RequestedGateway | undefined;
}

/** Settings of a cluster. The requests `create` and `add-cluster` both have these fields. */
type GivenSettings = Pick<AddClusterParams, 'annotations' | 'dbConfig' | 'telemetryParams' | 'useGateway'>;

/** The gateway fields of a request, except `useGateway`. `refField` is the field name of `ref` in this request. */
interface GivenGateway {
  readonly config: object | undefined;
  readonly ref: GatewayRef | undefined;
  readonly refField: string;
  readonly usableAsShared: boolean;
}

const annotationName = /^(?:(?=.{1,253}\/)[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*\/)?[A-Za-z0-9](?:[-._A-Za-z0-9]{0,61}[A-Za-z0-9])?$/;
const period = /^[1-9][0-9]{0,8}[hdwy]$/;
const operators = ['', 'Exists', 'Equal'];
const effects = ['', 'NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/** Parses settings of a cluster, and notes invalid values (open-points 4.1). */
export function requestedSettings(
  violations: Violations, given: GivenSettings, gateway: GivenGateway,
): ClusterSettings {
  const dbConfig = given.dbConfig && dbConfigOf(violations, given.dbConfig);
  noteAnnotations(violations, given.annotations, dbConfig);
  return {
    annotations: given.annotations,
    dbConfig,
    telemetry: given.telemetryParams && telemetryOf(violations, given.telemetryParams),
    gateway: given.useGateway ? gatewayOf(violations, gateway) : undefined,
  };
}

function noteAnnotations(
  violations: Violations, annotations: GivenSettings['annotations'], dbConfig: object | undefined,
): void {
  for (const key of Object.keys(annotations)) {
    if (!annotationName.test(key)) violations.note(`annotations.${key}`, 'is not the name of a Kubernetes annotation');
  }
  const stored = bytesOf(annotations) + (dbConfig === undefined ? 0 : Buffer.byteLength(JSON.stringify(dbConfig)));
  if (stored > mostAnnotationBytes) violations.note('annotations', 'must have at most 256 KiB, including dbConfig');
}

function dbConfigOf(violations: Violations, { nodeSelector, tolerations }: DbConfig): object {
  for (const [index, { operator, effect }] of tolerations.entries()) {
    const note = (field: string, problem: string) => violations.note(`dbConfig.tolerations[${index}].${field}`, problem);
    if (!operators.includes(operator)) note('operator', 'must be Exists or Equal');
    if (!effects.includes(effect)) note('effect', 'must be empty, NoSchedule, PreferNoSchedule or NoExecute');
  }
  return {
    nodeSelector,
    tolerations: tolerations.map((toleration) =>
      Object.fromEntries(Object.entries(toleration).filter(([, value]) => value !== '' && value !== undefined))),
  };
}

function telemetryOf(violations: Violations, given: TelemetryParams): Telemetry {
  const periodOf = (field: string, value: string | undefined, usual: string) => {
    if (value === undefined || value === '') return usual;
    const problem = 'must be a positive whole number and a unit (h, d, w or y), such as 15d';
    if (!period.test(value)) violations.note(`telemetryParams.${field}`, problem);
    return value;
  };
  const { metricsRetentionPeriods: metrics } = given;
  const metric = (field: string, value: string | undefined, usual: string) =>
    periodOf(`metricsRetentionPeriods.${field}`, value, usual);
  return {
    monitoringCluster: given.monitoringClusterName!,
    logs: periodOf('logsRetentionPeriods', given.logsRetentionPeriods, '7d'),
    traces: periodOf('tracesRetentionPeriods', given.tracesRetentionPeriods, '7d'),
    metrics: {
      raw: metric('rawsRetentionPeriod', metrics?.rawsRetentionPeriod, '15d'),
      fiveMinutes: metric('fiveMinuteRetentionPeriod', metrics?.fiveMinuteRetentionPeriod, '30d'),
      oneHour: metric('oneHourRetentionPeriod', metrics?.oneHourRetentionPeriod, '1y'),
    },
  };
}

function gatewayOf(violations: Violations, { config, ref, refField, usableAsShared }: GivenGateway): RequestedGateway {
  if (config !== undefined) {
    if (ref !== undefined) violations.note(refField, 'must not be given together with gatewayConfig');
    noteGatewayProblems(violations, config);
    return { kind: 'own', config, usableAsShared };
  }
  if (ref === undefined) return { kind: 'shared', ref: 'default', path: refField };
  const { namespace = '', name = '' } = ref;
  if (namespace !== `${name}-gw`) violations.note(`${refField}.namespace`, 'must be the name, followed by -gw');
  return { kind: 'shared', ref: { namespace, name }, path: refField };
}
