import { z } from 'zod'
import { ExtensionRunRequest, RecommendationResponse } from '../extensions/wire.ts'
import { FileUploadRequest, UploadAnswer } from '../images/schemas.ts'
import { limits } from '../limits.ts'
import { operation, route } from '../operation.ts'
import { Id } from '../shapes.ts'
import { WorkspacePath } from '../workspaces/schemas.ts'
import { recommend } from './run.ts'
import { uploadList } from './upload.ts'

/** A run is as much work as several searches: two of an organization at once. */
const HEAVY = 12

const RecommendationKey = z.object({
  extension: Id.describe('`bom`, `similar`, `together`, or an installed recommendation extension.'),
})

const run = route('POST', '/api/extensions/recommendation/:extension/run', {
  param: RecommendationKey,
  body: ExtensionRunRequest,
  answer: RecommendationResponse,
})

export const runRecommendationExtension = operation({
  name: 'Run Recommendation Extension',
  cost: HEAVY,
  summary: 'Matches a list to products, or recommends products for products or a workspace.',
  access: 'viewer',
  bindings: { '1.0': run, '6.0': run },
  handle: ({ extension, body }, ctx) => recommend(ctx, extension, body),
})

const upload = route('POST', '/api/extensions/recommendation/:extension/files', {
  param: RecommendationKey,
  body: FileUploadRequest,
  bodyBytes: limits.imageBodyBytes,
  answer: UploadAnswer,
})

export const uploadRecommendationFile = operation({
  name: 'Upload Recommendation File',
  summary: 'Keeps a list as csv, xlsx or text for some days, and answers its url for runs.',
  access: 'viewer',
  bindings: { '1.0': upload, '6.0': upload },
  handle: ({ extension, body }, ctx) => uploadList(ctx, extension, body),
})

const reading = route('GET', '/api/workspaces/:workspace/recommendations/:extension', {
  param: z.object({ ...WorkspacePath.shape, ...RecommendationKey.shape }),
  answer: RecommendationResponse,
})

export const getRecommendations = operation({
  name: 'Get Recommendations',
  cost: HEAVY,
  summary: 'Recommends products for what is in a workspace.',
  access: 'viewer',
  bindings: { '1.0': reading, '6.0': reading },
  handle: ({ workspace, extension }, ctx) =>
    recommend(ctx, extension, { workspace, products: [], additionalFields: {} }),
})

export const recommendationOperations = [
  runRecommendationExtension,
  uploadRecommendationFile,
  getRecommendations,
]
