import { z } from 'zod'
import {
  ExtensionLinksRequest,
  ExtensionLinksResponse,
  ExtensionOptionsRequest,
  ExtensionOptionsResponse,
  ExtensionRunRequest,
  ExtensionRunResponse,
  PossibleMatchesResponse,
} from '../extensions/schemas.ts'
import { both, operation } from '../operation.ts'
import { CatalogQuery, Id, Name } from '../shapes.ts'
import { existingLinks, exportMatches, exportOptions, runExportExtension } from './handlers.ts'
import { readLinks } from './links.ts'

const ExportKey = z.object({
  id: Id.describe('The installed export extension, or `csv` or `jsonl`.'),
})

export const exportOperations = [
  operation({
    name: 'Run Extension',
    cost: 8,
    summary: 'Exports products, a workspace, a catalog or what a search finds in it.',
    access: 'editor',
    bindings: both('POST', '/api/extensions/export/:id/run', {
      param: ExportKey,
      query: CatalogQuery,
      body: ExtensionRunRequest,
      answer: ExtensionRunResponse,
    }),
    handle: ({ id, catalog, body }, ctx) => runExportExtension(ctx, id, { ...body, catalog }),
  }),
  operation({
    name: 'Run Existing Extension Links',
    summary: 'What an export calls products: links that are kept, and those that it knows itself.',
    access: 'viewer',
    bindings: both('POST', '/api/extensions/export/:id/existing', {
      param: ExportKey,
      body: ExtensionLinksRequest,
      answer: ExtensionLinksResponse,
    }),
    handle: ({ id, body }, ctx) => existingLinks(ctx, id, body),
  }),
  operation({
    name: 'Run Extension Possible Matches',
    // Up to 25 searches for words of which many are relaxed.
    cost: 12,
    summary: 'Products that an item of another system, or a product, may be; the best first.',
    access: 'viewer',
    bindings: both('POST', '/api/extensions/export/:id/possibleMatches', {
      param: ExportKey,
      body: ExtensionRunRequest,
      answer: PossibleMatchesResponse,
    }),
    handle: ({ id, body }, ctx) => exportMatches(ctx, id, body),
  }),
  operation({
    name: 'Run Extension Options',
    summary: 'Values that a field of an export may be given.',
    access: 'editor',
    bindings: both('POST', '/api/extensions/export/:id/:field/options', {
      param: ExportKey.extend({
        field: Name.describe('A field of the extension that has options.'),
      }),
      query: CatalogQuery,
      body: ExtensionOptionsRequest,
      answer: ExtensionOptionsResponse,
    }),
    handle: (input, ctx) => exportOptions(ctx, input),
  }),
  operation({
    name: 'Extension Links',
    reads: true,
    summary: 'Links of products of one type, as Add Extension Link and exports keep them.',
    access: 'viewer',
    bindings: both('POST', '/api/extensions/links/:extension', {
      param: z.object({ extension: Name.describe('Type of the links: the id of an extension.') }),
      body: ExtensionLinksRequest,
      answer: ExtensionLinksResponse,
    }),
    handle: async ({ extension, body }, ctx) => ({
      links: await readLinks(ctx, body, [extension]),
    }),
  }),
]
