import { describe, expect, it } from '@jest/globals';
import { readAnswers } from './http-wire.ts';

const read = (sent: string, ended = false, methods: string[] = []): [number, string][] =>
  readAnswers(Buffer.from(sent, 'latin1'), ended, methods).map(({ status, text }) => [status, text]);

describe('answers on the wire', () => {
  it('end by length, by chunks or by the end of the connection', () => {
    expect(read('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nab')).toEqual([[200, 'ab']]);
    const chunks = '1\r\na\r\n2;x=y\r\nbc\r\n0\r\n\r\n';
    expect(read(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}`)).toEqual([[200, 'abc']]);
    expect(read('HTTP/1.1 200 OK\r\n\r\nab', true)).toEqual([[200, 'ab']]);
  });

  it('are not there before they are whole', () => {
    expect(read('HTTP/1.1 200 OK\r\nContent-Le')).toEqual([]);
    expect(read('HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nab')).toEqual([]);
    expect(read('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab')).toEqual([]);
    expect(read('HTTP/1.1 200 OK\r\n\r\nab')).toEqual([]);
  });

  it('have no body where the protocol gives them none, and interim answers do not count', () => {
    expect(read('HTTP/1.1 204 No Content\r\n\r\n')).toEqual([[204, '']]);
    expect(read('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n', false, ['HEAD'])).toEqual([[200, '']]);
    expect(read('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n')).toEqual([[201, '']]);
  });
});
