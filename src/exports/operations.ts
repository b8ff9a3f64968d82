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
import { bothRevisions, operation } from '../operation.ts'
import { CatalogQuery, Id, Name } from '../shapes.ts'
import { existingLinks, exportMatches, exportOptions, runExportExtension } from './handlers.ts'
import { readLinks } from './links.ts'

const ExportKey = z.object({
  id: Id.describe('Id of an installed export extension, `csv` or `jsonl`.'),
})

/** The cost of reading as many products as Retrieve Products. */
const READ_COST = 4

export const exportOperations = [
  operation({
    name: 'Run Extension',
    cost: 8,
    summary: 'Exports products, a workspace, a whole catalog or the results of a search in it.',
    access: 'editor',
    bindings: bothRevisions('POST', '/api/extensions/export/:id/run', {
      param: ExportKey,
      query: CatalogQuery,
      body: ExtensionRunRequest,
      answer: ExtensionRunResponse,
    }),
    handle: ({ id, catalog, body }, ctx) => runExportExtension(ctx, id, { ...body, catalog }),
  }),
  operation({
    name: 'Run Existing Extension Links',
    cost: READ_COST,
    summary:
      "Returns the ids of products in an export's system, from stored links and from the extension itself.",
    access: 'viewer',
    bindings: bothRevisions('POST', '/api/extensions/export/:id/existing', {
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
    summary:
      'Finds products that may match an item of another system, or another product, best match first.',
    access: 'viewer',
    bindings: bothRevisions('POST', '/api/extensions/export/:id/possibleMatches', {
      param: ExportKey,
      body: ExtensionRunRequest,
      answer: PossibleMatchesResponse,
    }),
    handle: ({ id, body }, ctx) => exportMatches(ctx, id, body),
  }),
  operation({
    name: 'Run Extension Options',
    // Names are counted in a whole catalog, as in Metadata.
    cost: 8,
    summary: 'Lists the values that a field of an export extension accepts.',
    access: 'editor',
    bindings: bothRevisions('POST', '/api/extensions/export/:id/:field/options', {
      param: ExportKey.extend({
        field: Name.describe('Name of a field that has options.'),
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
    cost: READ_COST,
    summary:
      'Lists the links of products to one extension, as set by Add Extension Link and by exports.',
    access: 'viewer',
    bindings: bothRevisions('POST', '/api/extensions/links/:extension', {
      param: z.object({
        extension: Name.describe('Id of the extension, which is the type of the links.'),
      }),
      body: ExtensionLinksRequest,
      answer: ExtensionLinksResponse,
    }),
    handle: async ({ extension, body }, ctx) => ({
      links: await readLinks(ctx, body, [extension]),
    }),
  }),
]
