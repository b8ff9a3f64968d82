import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { StaticPage } from '../http/static-pages.ts'
import { type Operation, REVISIONS } from '../operation.ts'
import { withoutEnd } from '../text.ts'
import { openApiDocument } from './document.ts'

/** Allows only resources of this service; Swagger UI sets inline styles. */
const POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Addresses are relative, so that they work behind a proxy that adds a path.
const DOCS = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Aisle: the interface</title>
<link rel="icon" href="docs/favicon-32x32.png">
<link rel="stylesheet" href="docs/swagger-ui.css">
<link rel="stylesheet" href="docs/index.css">
</head>
<body>
<div id="page"></div>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/swagger-ui-standalone-preset.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`

const newestFirst = [...REVISIONS].reverse()

/** The guides for callers in the folder docs. */
const GUIDES = [
  'interface.md',
  'storefront.md',
  'imports.md',
  'mcp.md',
  'console.md',
  'extensions.md',
  'recommendations.md',
]

const START = `SwaggerUIBundle({
  dom_id: '#page',
  urls: ${JSON.stringify(newestFirst.map((name) => ({ name, url: `openapi/${name}.json` })))},
  presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
  layout: 'StandaloneLayout',
  validatorUrl: null,
  queryConfigEnabled: false,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  filter: true,
  persistAuthorization: false,
  tryItOutEnabled: true,
})
`

const HTML = 'text/html; charset=utf-8'
const CSS = 'text/css; charset=utf-8'
const JAVASCRIPT = 'text/javascript; charset=utf-8'

const ASSETS: Readonly<Record<string, string>> = {
  'swagger-ui.css': CSS,
  'index.css': CSS,
  'swagger-ui-bundle.js': JAVASCRIPT,
  'swagger-ui-standalone-preset.js': JAVASCRIPT,
  'favicon-32x32.png': 'image/png',
}

const ASSET_FOLDER = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))

const GUIDE_FOLDER = join(import.meta.dirname, '..', '..', 'docs')

/** The pages by path: `/openapi/<revision>.json`, the page that shows them, and guides. */
export function documentationPages(
  operations: readonly Operation[],
  publicUrl: string,
): ReadonlyMap<string, StaticPage> {
  const base = withoutEnd(new URL(publicUrl).pathname, '/')
  const pages = new Map<string, StaticPage>()
  const add = (path: string, type: string, load: StaticPage['load'], policy?: string) =>
    pages.set(path, {
      type,
      load,
      ...(policy && { headers: { 'content-security-policy': policy } }),
    })
  add('/docs', HTML, async () => DOCS, POLICY)
  add('/docs/start.js', JAVASCRIPT, async () => START)
  for (const revision of REVISIONS) {
    const load = async () => JSON.stringify(openApiDocument({ operations, revision, base }))
    add(`/openapi/${revision}.json`, 'application/json', load)
  }
  for (const [name, type] of Object.entries(ASSETS)) {
    add(`/docs/${name}`, type, () => readFile(join(ASSET_FOLDER, name)))
  }
  for (const name of GUIDES) {
    add(`/docs/${name}`, 'text/plain; charset=utf-8', () => readFile(join(GUIDE_FOLDER, name)))
  }
  return pages
}
