import { optional, readConfig as read } from '@platform/service';

/** What the gateway is told. The only reader of its environment. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>) {
  return read(
    {
      deploymentType: 'deployment.type',
      runMode: 'run.mode',
      billing: 'billing.enabled',
      host: 'http.host',
      port: 'http.port',
      baseUrl: optional('http.baseURL'),
      trustedProxies: 'http.trustedProxies',
      requestTimeout: 'http.requestTimeout',
      adminListen: 'admin.listen',
      orgsTeams: optional('services.orgsTeams'),
      authz: optional('services.authz'),
      clusters: optional('services.clusters'),
      contractsLicensing: optional('services.contractsLicensing'),
      billingDashboard: optional('services.billingDashboard'),
      metricsproxy: optional('services.metricsproxy'),
      serviceCredential: optional('secrets.serviceCredential'),
      rateLimit: 'rateLimit.enabled',
      anonymousPerSecond: 'rateLimit.anonymousPerSecond',
      anonymousBurst: 'rateLimit.anonymousBurst',
      failedCredentialsPerSecond: 'rateLimit.failedCredentialsPerSecond',
      failedCredentialsBurst: 'rateLimit.failedCredentialsBurst',
      stopTimeout: 'stop.timeout',
      logLevel: 'log.level',
      telemetryEndpoint: optional('telemetry.endpoint'),
      telemetryHeaders: 'telemetry.headers',
      telemetrySampleRatio: 'telemetry.sampleRatio',
    },
    { environment },
  );
}

export type GatewayConfig = ReturnType<typeof readConfig>;
