import { analyticsOperations } from './analytics/operations.ts'
import { annotationOperations } from './annotations/operations.ts'
import { audited } from './audit/audited.ts'
import { auditOperations } from './audit/operations.ts'
import { bulkOperations } from './bulk/operations.ts'
import { callbackOperations } from './callbacks/operations.ts'
import { catalogOperations } from './catalogs/operations.ts'
import { exportOperations } from './exports/operations.ts'
import { fileOperations } from './files/operations.ts'
import { imageOperations } from './images/operations.ts'
import { importOperations } from './imports/operations.ts'
import { installationOperations } from './installations/operations.ts'
import { keyOperations } from './keys/operations.ts'
import type { Operation } from './operation.ts'
import { organizationOperations } from './organizations/operations.ts'
import { preferenceOperations } from './preferences/operations.ts'
import { priceListOperations } from './price-lists/operations.ts'
import { productOperations } from './products/operations.ts'
import { punchoutOperations } from './punchout/operations.ts'
import { realtimeOperations } from './realtime/operations.ts'
import { recommendationOperations } from './recommendations/operations.ts'
import { searchOperations } from './search/operations.ts'
import { tuningOperations } from './search/tuning/operations.ts'
import { statusOperations } from './status/operations.ts'
import { taskOperations } from './tasks/operations.ts'
import { usageOperations } from './usage/operations.ts'
import { workspaceOperations } from './workspaces/operations.ts'

const declared: readonly Operation[] = [
  ...analyticsOperations,
  ...annotationOperations,
  ...auditOperations,
  ...bulkOperations,
  ...callbackOperations,
  ...catalogOperations,
  ...exportOperations,
  ...fileOperations,
  ...imageOperations,
  ...importOperations,
  ...installationOperations,
  ...keyOperations,
  ...organizationOperations,
  ...preferenceOperations,
  ...priceListOperations,
  ...productOperations,
  ...punchoutOperations,
  ...realtimeOperations,
  ...recommendationOperations,
  ...searchOperations,
  ...statusOperations,
  ...taskOperations,
  ...tuningOperations,
  ...usageOperations,
  ...workspaceOperations,
]

/** The table: every operation of the service, with one import per feature. */
export const operations: readonly Operation[] = declared.map(audited)
