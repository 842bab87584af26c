/** `@peculiar/x509` needs `reflect-metadata` before it. Import this file only where certificates are made. */
import 'reflect-metadata';

export * from '@peculiar/x509';
