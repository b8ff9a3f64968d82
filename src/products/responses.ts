import type { ProductView } from './view.ts'

/** Product 1.0: without upcs, tags, userTags and version. */
export const toProduct10 = ({ upcs, tags, userTags, version, ...product }: ProductView) => product

export type ProductView10 = ReturnType<typeof toProduct10>
