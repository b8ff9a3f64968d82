import { z } from 'zod'
import { Failure } from '../errors.ts'
import type { Sample, Validation } from '../extensions/contract.ts'
import { failuresAsAnswers } from '../extensions/remote-call.ts'
import { ExtensionOptionsResponse } from '../extensions/schemas.ts'
import { limits } from '../limits.ts'
import { bothRevisions, operation, route } from '../operation.ts'
import { ActionResponse, done, failed, Id, Name, OptionalText } from '../shapes.ts'
import { AUDITED_INSTALLATION } from './audited-parts.ts'
import { availableExtension, availableExtensions } from './available-extensions.ts'
import { install } from './install.ts'
import { problemsText } from './request-problems.ts'
import { toAvailable } from './responses.ts'
import {
  ImportExtensionMappingSampleRequest,
  ImportExtensionMappingSampleResponse,
  ImportSampleRequest,
  ImportSampleResponse,
} from './sample-schemas.ts'
import {
  AvailableExtension,
  AvailableExtensions,
  ExtensionInstallRequest,
  ExtensionValidationResponse,
} from './schemas.ts'
import { installOptions, sample, validate } from './try-extension.ts'

const ExtensionKey = z.object({
  id: Id.describe('Id of the extension, as listed by Get Available Extensions.'),
})

const installing = { param: ExtensionKey, body: ExtensionInstallRequest }

type SampleAnswer = z.infer<typeof ImportExtensionMappingSampleResponse>

const nothing: Sample = { columns: [], mappings: [], detected: null }

/** Cost of reading the beginning of a file, which may have to be unpacked. */
const SAMPLE_COST = 8

export const availableOperations = [
  operation({
    name: 'Get Available Extensions',
    summary: 'Lists the built-in and registered extensions that can be installed.',
    cost: 4,
    access: 'viewer',
    bindings: bothRevisions('GET', '/api/extensions/available', { answer: AvailableExtensions }),
    handle: async (_input, ctx) => (await availableExtensions(ctx)).map(toAvailable),
  }),
  operation({
    name: 'Get Extension',
    summary: 'Returns an installable extension with the fields that it asks for.',
    access: 'viewer',
    bindings: bothRevisions('GET', '/api/extensions/available/:id', {
      param: ExtensionKey,
      answer: AvailableExtension,
    }),
    handle: async ({ id }, ctx) => toAvailable(await availableExtension(ctx, id)),
  }),
  operation({
    name: 'Validate Extension',
    summary:
      'Checks whether an installation with these values would succeed and what an import would do, without storing anything.',
    access: 'administrator',
    cost: SAMPLE_COST,
    audit: { target: 'extension', id: ({ id }) => id, reads: true },
    bindings: {
      '1.0': route('POST', '/api/extensions/available/:id/validate', {
        ...installing,
        answer: ActionResponse,
        encode: (verdict: Validation) => {
          const text = problemsText(verdict.problems) || 'The extension can be installed.'
          return verdict.problems.length === 0 ? done(text) : failed(text)
        },
      }),
      '6.0': route('POST', '/api/extensions/available/:id/validate', {
        ...installing,
        answer: ExtensionValidationResponse,
        encode: (verdict: Validation) => ({
          error: problemsText(verdict.problems) || null,
          success: verdict.problems.length === 0,
          problems: verdict.problems,
          ...(verdict.preview ? { preview: verdict.preview } : {}),
        }),
      }),
    },
    handle: ({ id, body }, ctx) => validate(ctx, id, body),
  }),
  operation({
    name: 'Get Import Sample',
    summary:
      'Returns the first rows that an import would read, with a suggested mapping of the columns.',
    access: 'editor',
    cost: SAMPLE_COST,
    keys: ['import'],
    bindings: {
      '1.0': route('POST', '/api/extensions/available/:id/getSample', {
        param: ExtensionKey,
        body: ImportSampleRequest,
        answer: ImportSampleResponse,
        encode: ({ error, success, columns }: SampleAnswer) => ({
          error,
          success,
          columns,
        }),
      }),
      '6.0': route('POST', '/api/extensions/available/:id/getSample', {
        param: ExtensionKey,
        body: ImportExtensionMappingSampleRequest,
        answer: ImportExtensionMappingSampleResponse,
      }),
    },
    handle: async ({ id, body }, ctx): Promise<SampleAnswer> => {
      await availableExtension(ctx, id)
      try {
        return { error: null, success: true, ...(await sample(ctx, id, body)) }
      } catch (error) {
        if (!(error instanceof Failure) || error.code !== 'invalid') throw error
        return { error: error.message, success: false, ...nothing }
      }
    },
  }),
  operation({
    name: 'Get Install Extension Options',
    // Those of the csv export are counted in a whole catalog, as in Metadata.
    cost: 8,
    summary:
      'Lists the values that a field of an extension accepts, optionally filtered by `search`.',
    access: 'administrator',
    audit: { target: 'extension', id: ({ id }) => id },
    bindings: {
      '6.0': route('GET', '/api/extensions/available/:id/:field/installOptions', {
        param: ExtensionKey.extend({
          field: Name.describe('Name of a field that has options.'),
        }),
        query: z.object({
          search: OptionalText(limits.valueLength).describe(
            'Text that the returned options must contain.',
          ),
        }),
        answer: ExtensionOptionsResponse,
      }),
    },
    handle: ({ id, ...wish }, ctx) =>
      failuresAsAnswers<z.output<typeof ExtensionOptionsResponse>>(
        () => installOptions(ctx, id, wish),
        (error) => ({ error, success: false, options: [] }),
      ),
  }),
  operation({
    name: 'Install Extension',
    summary:
      'Installs an extension with its values. Protected values are encrypted and never returned.',
    access: 'administrator',
    audit: AUDITED_INSTALLATION,
    bindings: bothRevisions('POST', '/api/extensions/available/:id/install', {
      ...installing,
      answer: ActionResponse,
    }),
    handle: async ({ id, body }, ctx) =>
      done('Extension installed.', { id: await install(ctx, id, body) }),
  }),
]
