import { z } from 'zod'
import { ExtensionRunRequest, RecommendationResponse } from '../extensions/schemas.ts'
import { FileUploadRequest, UploadAnswer } from '../images/schemas.ts'
import { limits } from '../limits.ts'
import { bothRevisions, operation } from '../operation.ts'
import { Id } from '../shapes.ts'
import { WorkspacePath } from '../workspaces/schemas.ts'
import { recommend } from './run.ts'
import { uploadList } from './upload-list.ts'

/** Cost of a run. It is as much work as several searches, so two of an organization run at once. */
const RUN_COST = 12

const RecommendationKey = z.object({
  extension: Id.describe(
    '`bom`, `similar`, `together`, or the id of an installed recommendation extension.',
  ),
})

export const recommendationOperations = [
  operation({
    name: 'Run Recommendation Extension',
    cost: RUN_COST,
    summary:
      'Matches the lines of a list to products, or recommends products for given products or a workspace.',
    access: 'viewer',
    bindings: bothRevisions('POST', '/api/extensions/recommendation/:extension/run', {
      param: RecommendationKey,
      body: ExtensionRunRequest,
      answer: RecommendationResponse,
    }),
    handle: ({ extension, body }, ctx) => recommend(ctx, extension, body),
  }),
  operation({
    name: 'Upload Recommendation File',
    summary:
      'Stores a list (csv, xlsx, parquet, a Google Merchant feed or text) for some days and returns its URL for use in runs.',
    access: 'viewer',
    bindings: bothRevisions('POST', '/api/extensions/recommendation/:extension/files', {
      param: RecommendationKey,
      body: FileUploadRequest,
      bodyBytes: limits.imageBodyBytes,
      answer: UploadAnswer,
    }),
    handle: ({ extension, body }, ctx) => uploadList(ctx, extension, body),
  }),
  operation({
    name: 'Get Recommendations',
    cost: RUN_COST,
    summary: 'Recommends products for the contents of a workspace.',
    access: 'viewer',
    bindings: bothRevisions('GET', '/api/workspaces/:workspace/recommendations/:extension', {
      param: z.object({ ...WorkspacePath.shape, ...RecommendationKey.shape }),
      answer: RecommendationResponse,
    }),
    handle: ({ workspace, extension }, ctx) =>
      recommend(ctx, extension, { workspace, products: [], additionalFields: {} }),
  }),
]
