import { createHash } from 'node:crypto';
import type { Answer } from '@platform/http';
import type { ReplicaState } from '@platform/rest';
import type { Recent } from './recent-requests.ts';

/** The home page of the platform. */
export interface Home {
  readonly version: string;
  readonly isUp: boolean;
  /** Only in run mode `dev`: other deployments do not show what they run on (open-points 1.2). */
  readonly inside?: Inside;
}

/** The running services, for developers. */
export interface Inside {
  /** E.g. `Hosted`. */
  readonly deploymentType: string;
  readonly replicas: readonly ReplicaState[];
  readonly recent: Recent;
  /** `host:port` of the gateway's `/metrics`, when its port is configured. */
  readonly metrics: string | undefined;
}

/** A page without scripts that loads no other file. */
export function homePage({ version, isUp, inside }: Home): Answer {
  const body = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Platform</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<main>
<header>
<h1>Platform</h1>
<p class="state ${isUp ? 'up' : 'down'}">${isUp ? 'Up' : 'Not ready'}</p>
</header>
<p>The control plane: organizations, clusters, contracts and licences. Version <strong>${escaped(version)}</strong>.</p>
<nav aria-label="Documentation">
<a href="/api/swagger">API reference<span>Read and try every endpoint</span></a>
<a href="/api/v1/openapi.json">OpenAPI document<span>For tools and clients</span></a>
</nav>
${inside === undefined ? '' : insideOf(inside)}</main>
</body>
</html>
`;
  return {
    status: 200,
    headers: [
      ['Content-Type', 'text/html; charset=utf-8'],
      ['Content-Security-Policy', policy],
      ['Cache-Control', 'no-cache'],
    ],
    body,
  };
}

function insideOf({ deploymentType, replicas, recent, metrics }: Inside): string {
  const replicaRows = replicas.map(({ name, address, state }) =>
    `<tr><th scope="row">${escaped(name)}</th><td>${escaped(address)}</td><td class="${state === 'up' ? 'up' : 'down'}">${state}</td></tr>`);
  const routeRows = recent.routes.map(({ route, answered }) =>
    `<tr><th scope="row"><code>${escaped(route)}</code></th><td>${answered}</td></tr>`);
  const perSecond = (recent.answered / 60).toFixed(1);
  return `<section aria-labelledby="services">
<h2 id="services">Services</h2>
<p>Deployment type ${escaped(deploymentType)}, run mode dev. Other run modes do not show what follows.</p>
<table>
<thead><tr><th scope="col">Service</th><th scope="col">gRPC address</th><th scope="col">State</th></tr></thead>
<tbody>
${replicaRows.join('\n')}
</tbody>
</table>
</section>
<section aria-labelledby="requests">
<h2 id="requests">Requests of the last minute</h2>
<dl>
<div><dt>Answered</dt><dd>${recent.answered}</dd></div>
<div><dt>Per second</dt><dd>${perSecond}</dd></div>
<div><dt>Refused (4xx)</dt><dd>${recent.refused}</dd></div>
<div><dt>Failed (5xx)</dt><dd>${recent.failed}</dd></div>
</dl>
${routeRows.length === 0 ? '' : `<table>
<thead><tr><th scope="col">Route</th><th scope="col">Answered</th></tr></thead>
<tbody>
${routeRows.join('\n')}
</tbody>
</table>
`}${metrics === undefined ? '' : `<p>All numbers: <a href="http://${escaped(metrics)}/metrics">the gateway's metrics</a>, on this machine.</p>
`}</section>
`;
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escaped(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => entities[character]!);
}

const style = `
:root{--text:#1d2330;--soft:#566074;--line:#dde2ea;--back:#f6f7f9;--card:#fff;--accent:#1552c4;--good:#0a6b3c;--bad:#b3261e}
@media (prefers-color-scheme:dark){:root{--text:#e7eaf0;--soft:#a6afbf;--line:#323a47;--back:#12161d;--card:#1b212b;--accent:#8ab4ff;--good:#6fd39c;--bad:#ff8f85}}
*{box-sizing:border-box}
body{margin:0;background:var(--back);color:var(--text);font:16px/1.5 system-ui,sans-serif}
main{max-width:46rem;margin:0 auto;padding:clamp(1.5rem,6vw,4rem) 1rem}
header{display:flex;align-items:center;gap:1rem;flex-wrap:wrap}
h1{font-size:2rem;line-height:1.2;margin:0}
h2{font-size:1.1rem;margin:2.5rem 0 .5rem}
.state{margin:0;padding:.1rem .8rem;border:1px solid;border-radius:1rem;font-weight:600}
.up{color:var(--good)}
.down{color:var(--bad);font-weight:600}
a{color:var(--accent)}
nav{display:grid;grid-template-columns:repeat(auto-fit,minmax(15rem,1fr));gap:1rem;margin-top:1.5rem}
nav a,dl div{background:var(--card);border:1px solid var(--line);border-radius:.6rem;padding:.8rem 1rem}
nav a{font-weight:600;text-decoration:none}
nav a:hover,nav a:focus-visible{border-color:var(--accent)}
nav span{display:block;font-weight:400;color:var(--soft)}
section p{color:var(--soft);margin:.5rem 0}
table{width:100%;border-collapse:collapse;margin:1rem 0}
th,td{padding:.45rem .6rem;border-bottom:1px solid var(--line);text-align:left;overflow-wrap:anywhere}
th{font-weight:400}
thead th{color:var(--soft);font-size:.9rem;white-space:nowrap}
dl{display:grid;grid-template-columns:repeat(auto-fit,minmax(10rem,1fr));gap:1rem;margin:1rem 0}
dt{color:var(--soft);font-size:.9rem}
dd{margin:0;font-size:1.5rem;font-variant-numeric:tabular-nums}
code{font-size:.9rem}
`;

/** Only the style above, by its hash; the icon is an empty one, so that browsers ask for none. */
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
