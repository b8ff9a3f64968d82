import { token } from '../text.ts'
import type { Annotations, ProductDocument } from './product.ts'

type Parts = readonly string[]

/** Search fields for annotations, as tokens without the organization. */
const ANNOTATIONS = {
  favorites: ({ favorite, favoriteUsers }: Annotations): Parts[] => [
    ...(favorite ? [['company']] : []),
    ...favoriteUsers.map((user) => ['user', user]),
  ],
  tags: ({ tags }: Annotations): Parts[] => tags.map((tag) => [tag]),
  userTags: ({ userTags }: Annotations): Parts[] =>
    Object.entries(userTags).flatMap(([user, tags]) => tags.map((tag) => [user, tag])),
  fields: ({ extensionFields }: Annotations): Parts[] =>
    extensionFields.map(({ extensionId, key, value }) => [`${extensionId}/${key}`, value]),
}

/** Tokens begin with the organization, so that no other one can search its annotations. */
export const annotationTokens = (
  annotations: ProductDocument['annotations'],
  field: keyof typeof ANNOTATIONS,
): string[] =>
  Object.entries(annotations).flatMap(([organization, one]) =>
    ANNOTATIONS[field](one).map((parts) => token(organization, ...parts)),
  )

export const annotationFields = (annotations: ProductDocument['annotations']) => ({
  favorites: annotationTokens(annotations, 'favorites'),
  tags: annotationTokens(annotations, 'tags'),
  userTags: annotationTokens(annotations, 'userTags'),
  fields: annotationTokens(annotations, 'fields'),
})
