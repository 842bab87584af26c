/** Loads `reflect-metadata` first, because `@peculiar/x509` needs it. */
import 'reflect-metadata';

export * from '@peculiar/x509';
