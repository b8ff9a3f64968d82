const MIB = 1024 * 1024

/** Limits of products, their texts and their pictures: part of `limits`. */
export const productLimits = {
  /** Characters of a product, task, workspace or other id. */
  idLength: 256,
  /** Characters of a catalog name or tag. */
  catalogNameLength: 100,
  /** Characters of other names: vendor, attribute, manufacturer, user … */
  nameLength: 200,
  productNameLength: 500,
  /** Characters of a text value: description, attribute value … */
  valueLength: 2_000,
  /** Bytes of a product as JSON. */
  productBytes: MIB,
  /** Values of a product as JSON in an import file, those inside others counted as well. */
  productValues: 30_000,
  /** Attributes, facets and filters of a product, each. */
  productAttributes: 1_000,
  /** Options of a variant. */
  productOptions: 20,
  /** Columns of a file that its task lists with what became of them. */
  listedColumns: 200,
  /** Groups of variants that a search counts one by one; beyond, an estimate stands in. */
  countedGroups: 30_000,
  /** Values of options that a search shows of a group. */
  optionValues: 200,
  productOffers: 500,
  /** Members of a product that a request selects, and characters of each. */
  selectedFields: 100,
  fieldPathLength: 400,
  /** Entries of the other lists of a product: images, links, UPCs, each. */
  productListEntries: 500,
  /** Tags that an organization, and each of its users, may give a product. */
  productTags: 100,
  /** Different words of a product, those of its description aside, that misspellings are compared with. */
  productWords: 1_000,
  /** Characters of a product's texts, folded, in which such words, and measures, are looked for: the first. */
  comparedLength: 256 * 1024,
  /** Bytes of what one organization added to a product. */
  annotationBytes: 64 * 1024,
  /** Bytes of change-log entries that may wait in a product before they must be stored. */
  pendingBytes: MIB,
  /** Operations of a batch of writes. */
  batchOperations: 1_000,
  /** Lines of Write Offers. */
  offerLines: 5_000,
  /** Price lists of a catalog, those being removed included; the mapping has a field for each. */
  priceLists: 64,
  /** Sub-organizations that a price list may be for. */
  priceListOrganizations: 200,
  /** Prices of a product in one list. */
  productListPrices: 50,
  /** Lines of Write Prices. */
  priceLines: 5_000,
  /** Largest price of a list. */
  listPrice: 1_000_000_000,
  /** Largest quantity from which on a price of a list holds. */
  priceQuantity: 1_000_000_000,
  /** Products that a look at what a search finds shows. */
  selectionSample: 10,
  /** Ids of products that its token stands for, besides how many there are. */
  selectionIds: 10_000,
  /** Milliseconds that a batch, or lines of offers, may take; less than until nobody may write into a deleted catalog. */
  batchMs: 7_000,
  /** Characters of an Idempotency-Key. */
  idempotencyKeyLength: 255,
  /** Milliseconds for which it is known what was answered to it. */
  idempotencyMs: 24 * 60 * 60 * 1000,
  /** Bytes of what is known of an organization's; from half of it answers are no longer kept. */
  idempotencyBytes: 512 * MIB,
  /** Bytes of a picture that is sent. */
  imageBytes: 5 * MIB,
  /** Bytes of a picture as it is kept, encoded anew. */
  keptImageBytes: 10 * MIB,
  /** Bytes of a request body that carries a picture as base64. */
  imageBodyBytes: 9 * MIB,
  /** Pixels of a picture, those of all its frames together. */
  imagePixels: 50_000_000,
  /** Pixels of one that is in memory as a whole: GIF, WebP, progressive or turned by its metadata. */
  heldImagePixels: 16_000_000,
  /** Width and height of a picture, each, in pixels. */
  imageSide: 16_384,
  /** Pixels of a smaller size of a picture that is made. */
  imageSizePixels: 3_000_000,
  /** Pictures that an instance decodes at once. */
  imagesAtOnce: 1,
  /** Pictures that wait for that, of all organizations and of each; one more is answered 429. */
  imagesWaiting: 32,
  organizationImagesWaiting: 8,
  /** Milliseconds that decoding and encoding a picture may take, and each of its sizes. */
  imageMs: 2_000,
  /** Days between looks at a picture: it stays while a product shows it, or did at the look before. */
  imageDays: 7,
  /** Pictures that an instance downloads at once by Fetch Pictures, and those of one host. */
  picturesAtOnce: 8,
  picturesByHost: 2,
  /** Milliseconds for each try of that, and how many tries a picture has. */
  pictureMs: 20_000,
  pictureTries: 3,
  /** Redirects that a try follows, each to an address that may be called. */
  pictureRedirects: 3,
  /** Pictures in a row that a host leaves unanswered before a task asks it for no more. */
  silentPictures: 5,
  /** Custom images that one request removes. */
  imagesPerRequest: 500,
  /** Shards of the index that a catalog has to itself. */
  catalogShards: 64,
  /** Products of a catalog in the index that catalogs share, and of each shard of an own one. */
  sharedCatalogProducts: 20_000_000,
} as const
