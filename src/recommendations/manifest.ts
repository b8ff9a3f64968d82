import type { Manifest, RecommendationExtension } from '../extensions/contract.ts'

/** The manifest of a recommendation extension that is built in. */
export const manifestOf = (
  parts: Pick<Manifest, 'id' | 'name' | 'description' | 'fields'>,
): RecommendationExtension['manifest'] => ({
  kind: 'recommendation',
  image: null,
  configUrl: null,
  calls: ['run'],
  noStore: false,
  mapToVendor: false,
  allowAdHocItems: false,
  ...parts,
})
