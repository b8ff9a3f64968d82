/** Weights of the fields in which a word is found, and of the type: 1 by default, 0 to ignore. */
export type FieldWeights = Readonly<
  Record<'name' | 'text' | 'description' | 'partNumbers' | 'type' | 'manufacturer', number>
>
