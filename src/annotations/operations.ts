import { extensionOperations } from './extension-operations.ts'
import { favoriteOperations } from './favorite-operations.ts'
import { noteOperations } from './note-operations.ts'
import { tagOperations } from './tag-operations.ts'

/** What people add to products. */
export const annotationOperations = [
  ...favoriteOperations,
  ...noteOperations,
  ...tagOperations,
  ...extensionOperations,
]
