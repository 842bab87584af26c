import type { Flavor } from '../backends/flavor.ts';
import type { Config } from '../config.ts';
import type { Dashboard } from './dashboard.ts';
import { createGrafana } from './grafana.ts';
import { createPerses } from './perses.ts';

/** The dashboards that are configured. */
export function openDashboards(config: Config): Readonly<Partial<Record<Flavor, Dashboard>>> {
  const { flavoraUrl: a, flavorbUrl: b } = config;
  return {
    ...(a && { flavora: createGrafana(a, config.flavoraPublicUrl ?? a, config.flavoraCredential) }),
    ...(b && { flavorb: createPerses(b, config.flavorbPublicUrl ?? b, config.flavorbCredential) }),
  };
}
