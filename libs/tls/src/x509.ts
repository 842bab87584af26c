/** Loads `reflect-metadata` first, because `@peculiar/x509` needs it. Import this file only to create certificates. */
import 'reflect-metadata';

export * from '@peculiar/x509';
