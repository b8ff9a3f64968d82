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
  /** Values of a product as JSON in an import file, including nested ones. */
  productValues: 30_000,
  /** Attributes, facets and filters of a product, each. */
  productAttributes: 1_000,
  /** Options of a variant. */
  productOptions: 20,
  /** Columns of a file that its task lists, with their use. */
  listedColumns: 200,
  /** Groups of variants that a search counts exactly. Beyond, it estimates. */
  countedGroups: 30_000,
  /** Option values that a search shows for a group. */
  optionValues: 200,
  productOffers: 500,
  /**
   * Different facet values of an organization's catalogs in the shared index; so for filters,
   * vendors, manufacturers and categories, each.
   */
  countedValues: 500_000,
  /** Members of a product that a request selects, and characters of each. */
  selectedFields: 100,
  fieldPathLength: 400,
  /** Entries of each other list of a product: images, links, UPCs. */
  productListEntries: 500,
  /** Tags that an organization, and each of its users, may give a product. */
  productTags: 100,
  /** Distinct words of a product, without its description, that misspellings are compared with. */
  productWords: 1_000,
  /** First characters of a product's folded texts that are searched for such words and measures. */
  comparedLength: 256 * 1024,
  /** Bytes of the annotations of one organization on a product. */
  annotationBytes: 64 * 1024,
  /** Bytes of the annotations of an organization and its sub-organizations on a product. */
  productAnnotationBytes: MIB,
  /** Bytes of change-log entries that may wait in a product before they must be stored. */
  pendingBytes: MIB,
  /** Operations of a batch of writes. */
  batchOperations: 1_000,
  /** Lines of Write Offers. */
  offerLines: 5_000,
  /** Price lists of a catalog, including those being removed. The mapping has a field for each. */
  priceLists: 64,
  /** Sub-organizations that a price list may be for. */
  priceListOrganizations: 200,
  /** Prices of a product in one list. */
  productListPrices: 50,
  /** Lines of Write Prices. */
  priceLines: 5_000,
  /** Largest price of a list. */
  listPrice: 1_000_000_000,
  /** Largest minimum quantity of a list price. */
  priceQuantity: 1_000_000_000,
  /** Products in the sample of a selection, which is what a search finds. */
  selectionSample: 10,
  /** Product ids that the token of a selection stands for, besides their number. */
  selectionIds: 10_000,
  /** Milliseconds that a batch, or lines of offers, may take; less than `catalogRemovalMs`. */
  batchMs: 7_000,
  /** Characters of an Idempotency-Key. */
  idempotencyKeyLength: 255,
  /** Milliseconds for which the answer to such a key is remembered. */
  idempotencyMs: 24 * 60 * 60 * 1000,
  /** Bytes remembered for the keys of an organization; from half of it, without answers. */
  idempotencyBytes: 512 * MIB,
  /** Bytes of a picture as uploaded. */
  imageBytes: 5 * MIB,
  /** Bytes of a picture as stored, after it was encoded again. */
  keptImageBytes: 10 * MIB,
  /** Bytes of a request body that carries a picture as base64. */
  imageBodyBytes: 9 * MIB,
  /** Pixels of a picture, over all its frames. */
  imagePixels: 50_000_000,
  /**
   * Pixels of a picture that is held in memory as a whole: GIF, WebP, progressive or turned by its
   * metadata.
   */
  heldImagePixels: 16_000_000,
  /** Frames of an animation. */
  imageFrames: 1_000,
  /** Scans of a progressive JPEG, each of which passes over the whole picture, and segments. */
  jpegScans: 64,
  jpegSegments: 1_000,
  /** Chunks of a PNG, most of which have 8 KiB of pixels. */
  pngChunks: 10_000,
  /** Bytes of the color profile of a PNG, unpacked; a larger one is left out. */
  profileBytes: 4 * MIB,
  /** Width, and height, of a picture in pixels. */
  imageSide: 16_384,
  /** Pixels of a smaller size made of a picture. */
  imageSizePixels: 3_000_000,
  /** Pictures that an instance decodes at once. */
  imagesAtOnce: 1,
  /** Pictures that wait for that, of all organizations and of each; one more is answered 429. */
  imagesWaiting: 32,
  organizationImagesWaiting: 8,
  /** Milliseconds to decode and encode a picture and make its sizes; one step may take 1 s more. */
  imageMs: 2_000,
  /** Milliseconds that a picture waits for decoding: longer than decoding another one takes. */
  imageWaitMs: 4_000,
  /** Milliseconds for Save Product Image. With 2,500 more to store it, below catalogRemovalMs. */
  imageUploadMs: 7_000,
  /** Days between checks of a picture, which stays while a product shows it or recently did. */
  imageDays: 7,
  /** Pictures that an instance downloads at once by Fetch Pictures, and those of one host. */
  picturesAtOnce: 8,
  picturesByHost: 2,
  /** Milliseconds for each attempt at such a download, and attempts per picture. */
  pictureMs: 20_000,
  pictureTries: 3,
  /** Redirects that an attempt follows, each to an address that may be called. */
  pictureRedirects: 3,
  /** Consecutive pictures that a host does not answer for before a task stops asking it. */
  silentPictures: 5,
  /** Custom images that one request removes. */
  imagesPerRequest: 500,
  /** Shards of an index that holds a single catalog. */
  catalogShards: 64,
  /** Products of a catalog in the index that catalogs share, and of each shard of an own one. */
  sharedCatalogProducts: 20_000_000,
} as const
