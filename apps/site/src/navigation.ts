/** A group of links in the side bar. Each link is a path in the site. */
interface Group {
  readonly text: string;
  readonly collapsed?: boolean;
  readonly items: readonly { readonly text: string; readonly link: string }[];
}

const page = (text: string, link: string) => ({ text, link });

/** The groups of the side bar. The pages `/adr/` and `/rules/` list the decision records and the rules. */
export const groups: readonly Group[] = [
  { text: 'What this is for', items: [
    page('The story', '/'), page('Glossary', '/glossary'), page('A walk through the console', '/console'),
    page('Changes', '/changelog'),
  ] },
  { text: 'Tutorials', items: [
    page('Overview', '/tutorials/'), page('Install the platform', '/tutorials/install'),
    page('Sell and issue', '/tutorials/sell'), page('Invite and restrict', '/tutorials/restrict'),
    page('Read and export', '/tutorials/export'), page('Install a release', '/tutorials/release'),
  ] },
  { text: 'Guides', items: [
    page('Kubernetes', '/kubernetes'), page('Docker Compose', '/compose'), page('Images', '/images'),
    page('Signing in', '/sign-in'), page('Cluster agent', '/cluster-agent'), page('Webhooks', '/webhooks'),
    page('Clients', '/clients'), page('TypeScript client', '/typescript-client'),
    page('Observability', '/observability'), page('Runbook', '/runbook'), page('Scale', '/scale'),
    page('Upgrades and support', '/upgrades'), page('Restoring', '/restore'), page('Security', '/security'),
  ] },
  { text: 'Reference', items: [
    page('Errors', '/errors'), page('Events', '/events'), page('Permissions', '/permissions'),
    page('Metrics', '/metrics'), page('Commands', '/cli'), page('Settings', '/configuration'), page('gRPC', '/grpc'),
  ] },
  { text: 'For contributors', collapsed: true, items: [
    page('The clone', '/clone'), page('Contributing', '/contributing'), page('Architecture', '/architecture'),
    page('Adding an endpoint', '/adding-an-endpoint'), page('Adding a service', '/adding-a-service'),
    page('Borrowed internals', '/borrowed-internals'), page('Releasing', '/releasing'), page('Benchmarks', '/bench'),
    page('Decisions', '/adr/'), page('Rules', '/rules/'),
  ] },
];
