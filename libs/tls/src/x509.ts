/** The door to `@peculiar/x509`, which needs the polyfill first. Import it only where certificates are made. */
import 'reflect-metadata';

export * from '@peculiar/x509';
