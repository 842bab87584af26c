import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type FakeProvider, fakeProvider, type ProviderReply } from './fake-provider.ts';

/**
 * Metering of provider A with the protocol of AWS Marketplace: JSON 1.1, Signature Version 4, one record for each hour.
 */
export interface FakeProviderA extends FakeProvider {
  /** Quantities by `{product}/{dimension}/{unix hour}`. */
  readonly counted: Map<string, number>;
  readonly settings: Readonly<Record<
    | 'marketplace.providera.accessKey' | 'marketplace.providera.secretKey' | 'marketplace.providera.productCode'
    | 'marketplace.providera.meteringURL' | 'marketplace.providera.rangesURL', string
  >>;
}

const credentials = { accessKey: 'AKIAPLATFORMSPEC0001', secretKey: 'secret/key+of+provider+a/0123456789' };
const productCode = 'product-code-of-spec';

/** @param isInTime whether the time of a record is accepted */
export async function fakeProviderA(
  { isInTime = () => true }: { isInTime?: (at: Date) => boolean } = {},
): Promise<FakeProviderA> {
  const counted = new Map<string, number>();
  /** Known requests by client token. */
  const known = new Map<string, string>();

  function meter(text: string): ProviderReply {
    const body = JSON.parse(text) as {
      ProductCode: string; Timestamp: number; UsageDimension: string; UsageQuantity: number; DryRun?: boolean;
      ClientToken?: string;
    };
    const { ProductCode, Timestamp, UsageDimension, UsageQuantity, DryRun, ClientToken = randomUUID() } = body;
    if ((known.get(ClientToken) ?? text) !== text) {
      return refused('IdempotencyConflictException', 'The client token was used with other parameters.');
    }
    known.set(ClientToken, text);
    if (ProductCode !== productCode) return refused('InvalidProductCodeException', 'The product code is unknown.');
    if (UsageDimension.startsWith('unknown')) {
      return refused('InvalidUsageDimensionException', 'The usage dimension does not match one of the dimensions.');
    }
    if (typeof Timestamp !== 'number' || !isInTime(new Date(Timestamp * 1000))) {
      return refused('TimestampOutOfBoundsException', 'The timestamp is out of bounds.');
    }
    if (DryRun === true) return refused('DryRunOperation', 'Request would have succeeded.');
    const key = `${ProductCode}/${UsageDimension}/${Math.floor(Timestamp / 3600)}`;
    const before = counted.get(key);
    if (before !== undefined && before !== UsageQuantity) {
      return refused('DuplicateRequestException', 'A record of another quantity has been emitted for the hour.');
    }
    counted.set(key, UsageQuantity);
    return { status: 200, json: { MeteringRecordId: createHash('md5').update(key).digest('hex') } };
  }

  const server = await fakeProvider((request, body) => {
    if (request.method === 'GET' && request.url === '/ip-ranges.json') {
      return { status: 200, json: {
        syncToken: '1', prefixes: [{ ip_prefix: '192.0.2.0/24', region: 'GLOBAL', service: 'EC2' }],
        ipv6_prefixes: [{ ipv6_prefix: '2001:db8::/32', region: 'GLOBAL', service: 'EC2' }],
      } };
    }
    if (request.method === 'GET') return { status: 404, json: { __type: 'UnknownOperationException' } };
    const { 'x-amz-target': target, 'content-type': type } = request.headers;
    if (target !== 'AWSMPMeteringService.MeterUsage') return refused('UnknownOperationException', '');
    if (type !== 'application/x-amz-json-1.1') return refused('SerializationException', '');
    if (!isSigned(request, body)) {
      return refused('InvalidSignatureException', 'The request signature we calculated does not match.');
    }
    return meter(body);
  }, {
    500: { __type: 'com.amazonaws.marketplacemetering#InternalServiceErrorException', message: 'internal' },
    429: { __type: 'com.amazonaws.marketplacemetering#ThrottlingException', message: 'Rate exceeded' },
  });
  return {
    ...server, counted,
    settings: {
      'marketplace.providera.accessKey': credentials.accessKey,
      'marketplace.providera.secretKey': credentials.secretKey,
      'marketplace.providera.productCode': productCode, 'marketplace.providera.meteringURL': server.url,
      'marketplace.providera.rangesURL': `${server.url}/ip-ranges.json`,
    },
  };
}

function refused(type: string, message: string): ProviderReply {
  const json = { __type: `com.amazonaws.marketplacemetering#${type}`, message, RequestId: randomUUID() };
  return { status: 400, json };
}

const authorization = new RegExp([
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request, /, /SignedHeaders=([^,]+), /,
  /Signature=([0-9a-f]{64})$/,
].map(({ source }) => source).join(''));

/** Signature Version 4, implemented from its specification. */
function isSigned({ headers, method, url }: IncomingMessage, body: string): boolean {
  const [, key, date = '', region = '', service = '', names = '', given = '']
    = authorization.exec(headers.authorization ?? '') ?? [];
  if (key !== credentials.accessKey || service !== 'aws-marketplace') return false;
  const hash = (text: string) => createHash('sha256').update(text).digest('hex');
  const hmac = (by: string | Buffer, text: string) => createHmac('sha256', by).update(text).digest();
  const canonical = [
    method, url, '', ...names.split(';').map((name) => `${name}:${String(headers[name]).trim()}`), '', names, hash(body),
  ].join('\n');
  const scope = `${date}/${region}/${service}/aws4_request`;
  const toSign = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, hash(canonical)].join('\n');
  const signing = [date, region, service, 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${credentials.secretKey}`);
  return timingSafeEqual(hmac(signing, toSign), Buffer.from(given, 'hex'));
}
