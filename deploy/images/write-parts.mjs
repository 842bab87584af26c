// `node write-parts.mjs FILE`: writes the list of the packages installed in this folder (CycloneDX 1.6). npm's own list
// needs the development packages, and is different each time.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const [file] = process.argv.slice(2);
const { name, version, packages } = JSON.parse(readFileSync('node_modules/.package-lock.json', 'utf8'));
const installed = Object.entries(packages).filter(([path, { link }]) => {
  return path.includes('node_modules/') && link !== true && existsSync(path);
});

function componentOf([path, found]) {
  const own = found.name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
  const [algorithm, digest] = found.integrity?.split('-') ?? [];
  const hashes = algorithm === 'sha512'
    ? [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }]
    : [];
  return {
    type: 'library',
    'bom-ref': `${own}@${found.version}|${path}`,
    name: own,
    version: found.version,
    purl: `pkg:npm/${own.replace('@', '%40')}@${found.version}`,
    hashes,
    licenses: typeof found.license === 'string' ? [licenseOf(found.license)] : [],
    properties: [{ name: 'cdx:npm:package:path', value: path }],
  };
}

/** `MIT` is an id, `MIT OR Apache-2.0` an expression. */
function licenseOf(text) {
  return /[ ()]/.test(text) ? { expression: text } : { license: { id: text } };
}

writeFileSync(file, `${JSON.stringify({
  $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  version: 1,
  metadata: {
    timestamp: new Date(Number(process.env.SOURCE_DATE_EPOCH ?? 0) * 1000).toISOString(),
    component: { type: 'application', 'bom-ref': `${name}@${version}`, name, version },
  },
  components: installed.map(componentOf),
}, undefined, 2)}\n`);
