import { extensionOperations } from './extension-operations.ts'
import { favoriteOperations } from './favorite-operations.ts'
import { noteOperations } from './note-operations.ts'
import { tagOperations } from './tag-operations.ts'

/** Operations on annotations: favorites, notes, tags, links and extension fields. */
export const annotationOperations = [
  ...favoriteOperations,
  ...noteOperations,
  ...tagOperations,
  ...extensionOperations,
]
