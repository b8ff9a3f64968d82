import { join } from 'node:path'
import { defineConfig } from 'vite'

const SERVICE = process.env.AISLE ?? 'http://127.0.0.1:3000'

/** Builds what Aisle serves at `/` and `/console`; while developing, asks a running Aisle for everything else. */
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  resolve: {
    alias: {
      qs: join(import.meta.dirname, 'src', 'without-qs.ts'),
      'aisle-client': join(import.meta.dirname, '..', 'client', 'src', 'index.ts'),
    },
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    target: 'es2023',
    outDir: '../src/storefront/built',
    emptyOutDir: true,
    assetsDir: 'shop',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      input: {
        shop: join(import.meta.dirname, 'index.html'),
        console: join(import.meta.dirname, 'console.html'),
      },
      output: {
        // Names stay the same: the service says by ETag whether a file did.
        entryFileNames: 'shop/[name].js',
        chunkFileNames: 'shop/[name].js',
        // What both pages need.
        codeSplitting: { groups: [{ name: 'shared', minShareCount: 2 }] },
        assetFileNames: 'shop/[name][extname]',
      },
    },
  },
  server: {
    proxy: Object.fromEntries(
      ['/api', '/docs', '/openapi', '/shop/settings.json'].map((path) => [path, SERVICE]),
    ),
  },
})
