// The minimum work for a licence: one key pair and one signed certificate with the contents of an issued licence. The
// service uses the same library.
import { webcrypto } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as x509 from '@platform/tls/x509';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const generate = () => webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
const authority = await generate();
const like = new x509.X509Certificate(process.argv[2]!);

async function sign(): Promise<string> {
  const { publicKey } = await generate();
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: like.serialNumber, subject: like.subjectName, issuer: like.issuerName,
    notBefore: like.notBefore, notAfter: like.notAfter,
    signingAlgorithm: algorithm, signingKey: authority.privateKey, publicKey, extensions: like.extensions,
  });
  return certificate.toString('pem');
}

const server = createServer((_request, response) => void sign().then((pem) => response.end(pem)));
server.listen(0, '127.0.0.1', () => process.send!({ port: (server.address() as AddressInfo).port }));
process.on('disconnect', () => process.exit());
