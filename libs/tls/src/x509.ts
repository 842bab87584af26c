/**
 * The only import of `@peculiar/x509`, which needs the import of `reflect-metadata` before it. Import this file only
 * where certificates are made.
 */
import 'reflect-metadata';

export * from '@peculiar/x509';
