import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/**
 * Adds Brotli and gzip copies of JS, CSS and SVG files with at least 1,000 bytes, so that the gateway need not compress
 * these files.
 */
const compressed: Plugin = {
  name: 'compressed',
  generateBundle: {
    order: 'post',
    handler(_, bundle) {
      for (const [fileName, file] of Object.entries(bundle)) {
        if (!/\.(?:js|css|svg)$/.test(fileName)) continue;
        const text = Buffer.from(file.type === 'chunk' ? file.code : file.source);
        if (text.length < 1_000) continue;
        const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
        this.emitFile({ type: 'asset', fileName: `${fileName}.br`, source: brotliCompressSync(text, quality) });
        this.emitFile({ type: 'asset', fileName: `${fileName}.gz`, source: gzipSync(text, { level: 9 }) });
      }
    },
  },
};

export default defineConfig({
  // Addresses in the page begin with `./`, which the gateway replaces with the base path of the platform.
  base: './',
  plugins: [react(), compressed],
  html: { cspNonce: 'NONCE-OF-THE-ANSWER' },
  build: {
    target: 'es2023',
    // Do not inline files as `data:` URIs. The content policy permits such URIs only for images.
    assetsInlineLimit: 0,
    manifest: true,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 900,
  },
});
