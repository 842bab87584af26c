/** The only import of `@peculiar/x509`, which needs its polyfill first. Import it only where certificates are made. */
import 'reflect-metadata';

export * from '@peculiar/x509';
