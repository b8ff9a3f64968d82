const MIB = 1024 * 1024

/** Limits of searches and what is kept of them: part of `limits`. */
export const searchLimits = {
  criteria: 100,
  /** Characters of the names and values of criteria, over all searches of one request. */
  criteriaLength: 64 * 1024,
  /** Numeric ranges of a search. */
  numberRanges: 32,
  keywordsLength: 512,
  /** Characters that a facet search takes. */
  facetSearchLength: 100,
  /**
   * Bytes of a value, and of its folded text, in an index term, and of a name that products are
   * sorted by. Every search has buffers for 64 of the longest terms of any catalog.
   */
  termBytes: 256,
  cursorLength: 4_096,
  /** Words that are used of a keyword search, and of all keyword criteria together. */
  keywordWords: 32,
  /** Searches of one request, and products of their pages together. */
  searchesTogether: 20,
  productsTogether: 500,
  pageSize: 250,
  defaultPageSize: 25,
  /** Last hit that a page may reach. A cursor continues from there. */
  resultWindow: 10_000,
  /** Products of a page that are explained. */
  explainedProducts: 50,
  /**
   * Characters of their texts, shared equally, in which the places of words are looked up. Beyond,
   * places are not reported.
   */
  explainedLength: 1024 * 1024,
  /** Walks at the point in time of their first page, per instance and per organization in it. */
  openWalks: 100,
  organizationWalks: 10,
  /** Milliseconds for which such a walk is kept from page to page. */
  walkMs: 5 * 60 * 1000,
  /** Milliseconds for which it is kept altogether, since it keeps deleted data on disk. */
  walkLongestMs: 60 * 60 * 1000,
  /** Characters of a tool's answer to a model. Of a longer one, each part is cut. */
  toolCharacters: 40_000,
  /** Bytes of a message from a model. */
  toolBytes: 256 * 1024,
  /** Values of a message from a model, including nested ones. */
  toolValues: 2_000,
  facetNames: 50,
  facetValues: 50,
  /** Facet values that the first request of a search looks at, over all names. */
  facetTokens: 1_000,
  /** Selected facets and numbers that are counted without their own selection. */
  disjunctiveFacets: 16,
  numberNames: 100,
  /** Numbers whose ranges a search counts. */
  rangedNumbers: 20,
  listedNames: 1_000,
  /** Paths of segment, category and sub-category whose products a search counts. */
  listedPaths: 10_000,
  quicksearchValues: 10,
  /** Products per shard whose manufacturers and categories Quicksearch counts. */
  quicksearchProducts: 100_000,
  /** Characters by which reports on searches, and recent searches, distinguish queries. */
  reportedQueryLength: 200,
  /** Days that a report on searches covers. */
  reportDays: 366,
  /** Queries that such a report lists. */
  reportRows: 1_000,
  /** Most common queries among which a report looks for those whose hits nobody chose. */
  reportQueries: 5_000,
  /** Events of searches whose queries or products are listed; of more, a random sample. */
  countedEvents: 200_000,
  /** Days whose choices, and additions to workspaces, count for the popularity of products. */
  popularDays: 30,
  /** Milliseconds after a search within which choices from it are counted. */
  choiceMs: 7 * 24 * 60 * 60 * 1000,
  /**
   * Bytes of history and reports that wait to be written; more are dropped. One organization may
   * have three quarters of them, or a quarter while others are active.
   */
  lateWriteBytes: 4 * MIB,
  /** Characters of the cached search responses of an instance, unless SEARCH_CACHE_MIB is set. */
  keptAnswerBytes: 16 * MIB,
  /** Maximum milliseconds of a cached answer, since an order may depend on the age of products. */
  keptAnswerMs: 60_000,
  /** Products that Quicksearch suggests. */
  suggestedProducts: 6,
  /** Days whose searches Quicksearch suggests. */
  suggestedDays: 30,
  /** Searches of a month that it counts for that. */
  suggestedSearches: 20_000,
} as const
