// VitePress reads its configuration from here.
export { siteConfig as default } from '../src/config.ts';
