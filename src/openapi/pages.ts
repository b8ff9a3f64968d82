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
const HTML = `<!doctype html>
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
const GUIDES = {
  'interface.md': 'versions, keys, errors, limits, and how search, products and imports behave',
  'imports.md': 'files, columns, rows, and what becomes of them',
  'extensions.md': 'how to connect a vendor or another system',
  'recommendations.md': 'lists of parts, similar products, products bought together',
}

const WELCOME = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Aisle</title>
</head>
<body>
<h1>Aisle</h1>
<p>A product-catalog and search service. This address is for programs:</p>
<ul>
<li><a href="docs">every operation</a>, to read and to try</li>
${newestFirst.map((name) => `<li><a href="openapi/${name}.json">OpenAPI document ${name}</a></li>`).join('\n')}
${Object.entries(GUIDES)
  .map(([name, about]) => `<li><a href="docs/${name}">${name}</a>: ${about}</li>`)
  .join('\n')}
</ul>
</body>
</html>
`

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

const ASSETS: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'index.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'swagger-ui-standalone-preset.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
}

const ASSET_FOLDER = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))

const GUIDE_FOLDER = join(import.meta.dirname, '..', '..', 'docs')

/** The pages by path: `/`, `/openapi/<revision>.json` and the page that shows them. */
export function documentationPages(
  operations: readonly Operation[],
  publicUrl: string,
): ReadonlyMap<string, StaticPage> {
  const base = withoutEnd(new URL(publicUrl).pathname, '/')
  const documents = REVISIONS.map((revision): [string, StaticPage] => [
    `/openapi/${revision}.json`,
    {
      type: 'application/json',
      load: async () => JSON.stringify(openApiDocument({ operations, revision, base })),
    },
  ])
  const assets = Object.entries(ASSETS).map(([name, type]): [string, StaticPage] => [
    `/docs/${name}`,
    { type, load: () => readFile(join(ASSET_FOLDER, name)) },
  ])
  const guides = Object.keys(GUIDES).map((name): [string, StaticPage] => [
    `/docs/${name}`,
    { type: 'text/plain; charset=utf-8', load: () => readFile(join(GUIDE_FOLDER, name)) },
  ])
  return new Map<string, StaticPage>([
    ...documents,
    ...assets,
    ...guides,
    [
      '/',
      text('text/html; charset=utf-8', WELCOME, {
        'content-security-policy': "default-src 'none'",
      }),
    ],
    ['/docs', text('text/html; charset=utf-8', HTML, { 'content-security-policy': POLICY })],
    ['/docs/start.js', text('text/javascript; charset=utf-8', START)],
  ])
}

const text = (type: string, body: string, headers: Record<string, string> = {}): StaticPage => ({
  type,
  load: async () => body,
  headers,
})
