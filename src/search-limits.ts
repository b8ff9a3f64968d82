const MIB = 1024 * 1024

/** Limits of searches and what is kept of them: part of `limits`. */
export const searchLimits = {
  criteria: 100,
  /** Characters of their names and values, those of all searches of one request together. */
  criteriaLength: 64 * 1024,
  /** Numeric ranges of a search. */
  numberRanges: 32,
  keywordsLength: 512,
  /** Characters that a facet search takes. */
  facetSearchLength: 100,
  /** Characters of a folded value in a term: Elasticsearch takes 32,766 bytes with name and value. */
  foldedLength: 8_000,
  cursorLength: 4_096,
  /** Words of a keyword search that are looked at; of all keyword criteria together, too. */
  keywordWords: 32,
  /** Searches of one request, and products of their pages together. */
  searchesTogether: 20,
  productsTogether: 500,
  pageSize: 250,
  defaultPageSize: 25,
  /** Last hit that a page may reach; a cursor goes on from there. */
  resultWindow: 10_000,
  /** Products of a page that are explained. */
  explainedProducts: 50,
  /** Characters of their texts in which it is looked up where words stand, shared alike; beyond, that is not told. */
  explainedLength: 1024 * 1024,
  /** Walks that stay at the time of their first page: of an instance, and of an organization in it. */
  openWalks: 100,
  organizationWalks: 10,
  /** Milliseconds that such a walk stays there from page to page. */
  walkMs: 5 * 60 * 1000,
  /** And altogether: what others delete meanwhile takes up the disk until it ends. */
  walkLongestMs: 60 * 60 * 1000,
  /** Characters of what a tool answers a model; of more each part has its beginning. */
  toolCharacters: 40_000,
  /** Values of a message of a model, those inside others counted as well. */
  toolValues: 2_000,
  facetNames: 50,
  facetValues: 50,
  /** Facet values that the first request of a search looks at, over all names. */
  facetTokens: 1_000,
  numberNames: 100,
  /** Numbers whose ranges a search counts. */
  rangedNumbers: 20,
  listedNames: 1_000,
  /** Paths of segment, category and sub-category whose products a search counts. */
  listedPaths: 10_000,
  quicksearchValues: 10,
  /** Characters of a query that reports on searches, and recent searches, tell apart. */
  reportedQueryLength: 200,
  /** Days that a report on searches covers. */
  reportDays: 366,
  /** Queries that such a report lists. */
  reportRows: 1_000,
  /** Queries of which those are picked whose hits nobody chose, the commonest. */
  reportQueries: 5_000,
  /** Days of which choices and additions to workspaces make products popular. */
  popularDays: 30,
  /** Milliseconds after a search in which what was chosen of it is counted. */
  choiceMs: 7 * 24 * 60 * 60 * 1000,
  /** Bytes of what is told of searches (history, reports) and waits to be written; more is dropped. One organization has a quarter. */
  lateWriteBytes: 4 * MIB,
  /** Bytes of answers to searches that an instance keeps, unless SEARCH_CACHE_MIB says otherwise. */
  keptAnswerBytes: 16 * MIB,
  /** Milliseconds for which it keeps one at most: an order may go by how new products are. */
  keptAnswerMs: 60_000,
  /** Products that Quicksearch suggests. */
  suggestedProducts: 6,
  /** Days whose searches Quicksearch suggests again. */
  suggestedDays: 30,
  /** Searches of a month that it counts for that. */
  suggestedSearches: 20_000,
} as const
