/** How much counts where a word is found, and what a product is: 1 as it comes, 0 not at all. */
export type FieldWeights = Readonly<
  Record<'name' | 'text' | 'description' | 'partNumbers' | 'type' | 'manufacturer', number>
>
